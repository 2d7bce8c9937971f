import type { SecurityContext } from 'steersman/api/types/core/v1'

/** A security context as the inside of the real server has it, for refusals that show it. */
export function goSecurityContext(context: SecurityContext): object {
  const { capabilities, seLinuxOptions, windowsOptions, seccompProfile, appArmorProfile } = context
  return {
    Capabilities: capabilities === undefined ? null : { Add: capabilities.add ?? null, Drop: capabilities.drop ?? null },
    Privileged: context.privileged ?? null,
    SELinuxOptions:
      seLinuxOptions === undefined
        ? null
        : {
            User: seLinuxOptions.user ?? '',
            Role: seLinuxOptions.role ?? '',
            Type: seLinuxOptions.type ?? '',
            Level: seLinuxOptions.level ?? '',
          },
    WindowsOptions:
      windowsOptions === undefined
        ? null
        : {
            GMSACredentialSpecName: windowsOptions.gmsaCredentialSpecName ?? null,
            GMSACredentialSpec: windowsOptions.gmsaCredentialSpec ?? null,
            RunAsUserName: windowsOptions.runAsUserName ?? null,
            HostProcess: windowsOptions.hostProcess ?? null,
          },
    RunAsUser: context.runAsUser ?? null,
    RunAsGroup: context.runAsGroup ?? null,
    RunAsNonRoot: context.runAsNonRoot ?? null,
    ReadOnlyRootFilesystem: context.readOnlyRootFilesystem ?? null,
    AllowPrivilegeEscalation: context.allowPrivilegeEscalation ?? null,
    ProcMount: context.procMount ?? null,
    SeccompProfile: goProfile(seccompProfile),
    AppArmorProfile: goProfile(appArmorProfile),
  }
}

function goProfile(profile: { readonly type: string; readonly localhostProfile?: string } | undefined): object | null {
  return profile === undefined ? null : { Type: profile.type, LocalhostProfile: profile.localhostProfile ?? null }
}
