import type { Draft, FieldError, FieldPath } from 'steersman/api'
import { fieldError, fieldPath, validateDns1035Label, validateDns1123Subdomain } from 'steersman/api'
import type { MutatingWebhook, ValidatingWebhook, WebhookClientConfig } from 'steersman/api/types/admissionregistration/v1'
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'steersman/api/types/admissionregistration/v1'
import { deepEqual } from 'steersman/internal'
import { validateWebhookService, validateWebhookUrl } from '../../schema/index.js'
import { validateChoice } from '../shared/choice.js'
import { validateLabelSelector } from '../shared/label-selector.js'
import { defineKind } from '../strategy.js'
import { validateMatchConditions } from './match-conditions.js'
import { validateReservedName } from './reserved-name.js'
import { defaultRules, matchPolicies, validateRule } from './rules.js'

type Webhook = ValidatingWebhook | MutatingWebhook
type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration

const sideEffects = ['None', 'NoneOnDryRun']
const reviewVersions = ['v1', 'v1beta1']

/** What the two kinds of configurations have in common. */
const shared = {
  validateName: validateDns1123Subdomain,
  allowBareFinalizers: true,
  validate: (configuration: Configuration) => [...validateWebhooks(configuration), ...validateReservedName(configuration.metadata.name)],
  validateUpdate: (configuration: Configuration) => validateWebhooks(configuration),
  warn: warnOfExcludedResources,
  changesGeneration: (configuration: Configuration, old: Configuration) => !deepEqual(configuration.webhooks ?? [], old.webhooks ?? []),
  allowUnconditionalUpdate: false,
}

/** Configurations of webhooks that validate. */
export const validatingWebhookConfigurationKind = defineKind<ValidatingWebhookConfiguration>(ValidatingWebhookConfiguration, {
  ...shared,
  default({ webhooks = [] }) {
    for (const webhook of webhooks) defaultWebhook(webhook)
  },
})

/** Configurations of webhooks that change objects. */
export const mutatingWebhookConfigurationKind = defineKind<MutatingWebhookConfiguration>(MutatingWebhookConfiguration, {
  ...shared,
  default({ webhooks = [] }) {
    for (const webhook of webhooks) {
      defaultWebhook(webhook)
      webhook.reinvocationPolicy ??= 'Never'
    }
  },
})

function defaultWebhook(webhook: Draft<Webhook>): void {
  webhook.failurePolicy ??= 'Fail'
  webhook.matchPolicy ??= 'Equivalent'
  webhook.namespaceSelector ??= {}
  webhook.objectSelector ??= {}
  webhook.timeoutSeconds ??= 10
  if (webhook.clientConfig?.service !== undefined) webhook.clientConfig.service.port ??= 443
  defaultRules(webhook.rules)
}

function validateWebhooks({ webhooks = [] }: Configuration): FieldError[] {
  const names = new Set<string>()
  return webhooks.flatMap((webhook, index) => {
    const path = fieldPath('webhooks').index(index)
    const { name = '' } = webhook
    const repeated = names.has(name) ? [fieldError.duplicate(path.child('name'), name)] : []
    if (name !== '') names.add(name)
    return [
      ...validateWebhook(webhook, path),
      ...validateReviewVersions(webhook.admissionReviewVersions, path.child('admissionReviewVersions')),
      ...repeated,
    ]
  })
}

function validateWebhook(webhook: Webhook, path: FieldPath): FieldError[] {
  const { timeoutSeconds } = webhook
  return [
    ...validateWebhookName(webhook.name ?? '', path.child('name')),
    ...(webhook.rules ?? []).flatMap((rule, index) => validateRule(rule, path.child('rules').index(index))),
    ...validateChoice(webhook.failurePolicy, ['Fail', 'Ignore'], path.child('failurePolicy')),
    ...validateChoice(webhook.matchPolicy, matchPolicies, path.child('matchPolicy')),
    ...validateSideEffects(webhook.sideEffects, path.child('sideEffects')),
    ...(timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)
      ? [fieldError.invalid(path.child('timeoutSeconds'), timeoutSeconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...validateLabelSelector(webhook.namespaceSelector ?? {}, path.child('namespaceSelector')),
    ...validateLabelSelector(webhook.objectSelector ?? {}, path.child('objectSelector')),
    ...('reinvocationPolicy' in webhook
      ? validateChoice(webhook.reinvocationPolicy, ['IfNeeded', 'Never'], path.child('reinvocationPolicy'))
      : []),
    ...validateClient(webhook.clientConfig ?? {}, path.child('clientConfig')),
    ...validateMatchConditions(webhook.matchConditions, path.child('matchConditions')),
  ]
}

function validateWebhookName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [fieldError.required(path)]
  const problems = validateDns1123Subdomain(name)
  if (problems.length > 0) return [fieldError.invalid(path, name, problems.join(','))]
  if (name.split('.').length >= 3) return []
  return [fieldError.invalid(path, name, 'should be a domain with at least three segments separated by dots')]
}

function validateSideEffects(value: string | undefined, path: FieldPath): FieldError[] {
  if (value === undefined || value === null) return [fieldError.required(path, `must specify one of ${sideEffects.join(', ')}`)]
  return validateChoice(value, sideEffects, path)
}

function validateClient({ url, service }: Partial<WebhookClientConfig>, path: FieldPath): readonly FieldError[] {
  if (url !== undefined && service === undefined) return validateWebhookUrl(url, `${path}.url`)
  if (url === undefined && service !== undefined) return validateWebhookService(service, `${path}.service`)
  return [fieldError.required(path, 'exactly one of url or service is required')]
}

function validateReviewVersions(versions: readonly string[] | undefined, path: FieldPath): FieldError[] {
  if (!versions || versions.length === 0) return [fieldError.required(path, `must specify one of ${reviewVersions.join(', ')}`)]
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [fieldError.invalid(path.index(index), version, 'duplicate version')]
      : validateDns1035Label(version).map((detail) => fieldError.invalid(path.index(index), version, detail)),
  )
  if (versions.some((version) => reviewVersions.includes(version))) return errors
  return [...errors, fieldError.invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`)]
}

/** Reviews of who may do what are never sent to webhooks. */
const excludedResources: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
])

function warnOfExcludedResources({ webhooks = [] }: Configuration, warn: (text: string) => void): void {
  for (const [index, webhook] of webhooks.entries()) {
    for (const [ruleIndex, { apiGroups = [], resources = [] }] of (webhook.rules ?? []).entries()) {
      if (apiGroups.includes('*') || resources.includes('*')) continue
      const named = apiGroups.flatMap((group) => resources.map((resource) => `${resource}.${group}`))
      for (const name of new Set(named.filter((candidate) => excludedResources.has(candidate)))) {
        warn(`webhooks[${index}].rules[${ruleIndex}]: ${name} is excluded from admission webhooks; this rule will have no effect`)
      }
    }
  }
}
