/**
 * Structs that Go embeds without a JSON name. The wire does not show them, but the real server's messages name them:
 * `Volume.spec.volumes.VolumeSource.emptyDir`. `ownFields` are the fields of the outer struct that are not embedded.
 */
interface EmbeddedStruct {
  readonly struct: string
  readonly ownFields: readonly string[]
}

const embeddedStructs: Readonly<Record<string, EmbeddedStruct>> = {
  Volume: { struct: 'VolumeSource', ownFields: ['name'] },
  PersistentVolumeSpec: {
    struct: 'PersistentVolumeSource',
    ownFields: [
      'capacity',
      'accessModes',
      'claimRef',
      'persistentVolumeReclaimPolicy',
      'storageClassName',
      'mountOptions',
      'volumeMode',
      'nodeAffinity',
      'volumeAttributesClassName',
    ],
  },
  Probe: {
    struct: 'ProbeHandler',
    ownFields: [
      'initialDelaySeconds',
      'timeoutSeconds',
      'periodSeconds',
      'successThreshold',
      'failureThreshold',
      'terminationGracePeriodSeconds',
    ],
  },
  EphemeralContainer: { struct: 'EphemeralContainerCommon', ownFields: ['targetContainerName'] },
  ConfigMapEnvSource: { struct: 'LocalObjectReference', ownFields: ['optional'] },
  SecretEnvSource: { struct: 'LocalObjectReference', ownFields: ['optional'] },
  ConfigMapKeySelector: { struct: 'LocalObjectReference', ownFields: ['key', 'optional'] },
  SecretKeySelector: { struct: 'LocalObjectReference', ownFields: ['key', 'optional'] },
  ConfigMapProjection: { struct: 'LocalObjectReference', ownFields: ['items', 'optional'] },
  SecretProjection: { struct: 'LocalObjectReference', ownFields: ['items', 'optional'] },
  ConfigMapVolumeSource: { struct: 'LocalObjectReference', ownFields: ['items', 'defaultMode', 'optional'] },
  IngressRule: { struct: 'IngressRuleValue', ownFields: ['host'] },
  RuleWithOperations: { struct: 'Rule', ownFields: ['operations'] },
  NamedRuleWithOperations: { struct: 'RuleWithOperations', ownFields: ['resourceNames'] },
}

/** A field of a struct with the embedded structs that it is in: `RuleWithOperations.Rule.apiGroups`. */
export function embeddedPath(struct: string, field: string): string {
  const embedded = Object.hasOwn(embeddedStructs, struct) ? embeddedStructs[struct] : undefined
  if (embedded === undefined || embedded.ownFields.includes(field)) return field
  return `${embedded.struct}.${embeddedPath(embedded.struct, field)}`
}
