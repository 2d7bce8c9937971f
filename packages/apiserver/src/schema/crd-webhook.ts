import { type FieldError, fieldError, goQuote, validateDns1035Label, validateDns1123Subdomain } from 'steersman/api'
import type { CrdConversion } from './crd-types.js'

const acceptedReviewVersions = ['v1', 'v1beta1']

/** Checks how a CustomResourceDefinition wants its objects converted. `caBundle` is not looked into. */
export function validateConversion(conversion: CrdConversion | undefined, path: string): readonly FieldError[] {
  if (conversion === undefined) return []
  const errors: FieldError[] = []
  const { strategy = '', webhook } = conversion
  if (strategy === '') errors.push(fieldError.required(`${path}.strategy`))
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.push(fieldError.notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']))
  }
  const client = webhook?.clientConfig
  const reviewVersions = webhook?.conversionReviewVersions ?? []
  if (strategy !== 'Webhook') {
    const detail = 'should not be set when strategy is not set to Webhook'
    if (client !== undefined) errors.push(fieldError.forbidden(`${path}.webhookClientConfig`, detail))
    if (reviewVersions.length > 0) errors.push(fieldError.forbidden(`${path}.conversionReviewVersions`, detail))
    return errors
  }
  const clientPath = `${path}.webhookClientConfig`
  if (client === undefined) errors.push(fieldError.required(clientPath, 'required when strategy is set to Webhook'))
  else if ((client.url === undefined) === (client.service === undefined)) {
    errors.push(fieldError.required(clientPath, 'exactly one of url or service is required'))
  } else if (client.url !== undefined) errors.push(...validateWebhookUrl(client.url, `${clientPath}.url`))
  else if (client.service !== undefined) errors.push(...validateWebhookService(client.service, `${clientPath}.service`))
  errors.push(...validateReviewVersions(reviewVersions, `${path}.conversionReviewVersions`))
  return errors
}

function validateReviewVersions(versions: readonly string[], path: string): readonly FieldError[] {
  if (versions.length === 0) return [fieldError.required(path)]
  const errors: FieldError[] = []
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) errors.push(fieldError.invalid(`${path}[${index}]`, version, 'duplicate version'))
    else for (const problem of validateDns1035Label(version)) errors.push(fieldError.invalid(`${path}[${index}]`, version, problem))
  }
  if (!versions.some((version) => acceptedReviewVersions.includes(version))) {
    errors.push(fieldError.invalid(path, versions, `must include at least one of ${acceptedReviewVersions.join(', ')}`))
  }
  return errors
}

// Taken apart by hand: the WHATWG parser would repair what must be refused.
const urlParts = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?:([^@/?#]*)@)?([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/

/** What is wrong with the address of a webhook. */
export function validateWebhookUrl(url: string, path: string): readonly FieldError[] {
  const form = '; desired format: https://host[/path]'
  const [, scheme = '', user, host = '', query = '', fragment = ''] = urlParts.exec(url) ?? []
  const problem = urlProblem(url, host)
  if (problem !== undefined) return [fieldError.required(path, `url must be a valid URL: parse ${goQuote(url)}: ${problem}${form}`)]
  const errors: FieldError[] = []
  if (scheme.toLowerCase() !== 'https') {
    errors.push(fieldError.invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`))
  }
  if (host === '') errors.push(fieldError.invalid(path, host, `host must be specified${form}`))
  if (user !== undefined) errors.push(fieldError.invalid(path, user, 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(fieldError.invalid(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(fieldError.invalid(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

/** Why Go cannot take a URL apart; `undefined`: it can. */
function urlProblem(url: string, host: string): string | undefined {
  if (url.startsWith(':')) return 'missing protocol scheme'
  const port = /:[^:\]]*$/.exec(host)?.[0] ?? ''
  return /^(?::\d*)?$/.test(port) ? undefined : `invalid port ${goQuote(port)} after host`
}

/** What is wrong with the service behind which a webhook is. Each of the two names is reported as the other, as the real server does. */
export function validateWebhookService(
  service: { readonly name?: string; readonly namespace?: string; readonly path?: string; readonly port?: number },
  path: string,
): readonly FieldError[] {
  const { name = '', namespace = '', path: urlPath = '', port = 443 } = service
  const errors: FieldError[] = []
  if (namespace === '') errors.push(fieldError.required(`${path}.name`))
  if (name === '') errors.push(fieldError.required(`${path}.namespace`))
  if (port < 1 || port > 65535)
    errors.push(fieldError.invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'))
  if (urlPath === '' || urlPath === '/') return errors
  const refuse = (detail: string): void => {
    errors.push(fieldError.invalid(`${path}.path`, urlPath, detail))
  }
  if (urlPath === '//') {
    refuse('segment[0] may not be empty')
    return errors
  }
  if (!urlPath.startsWith('/')) refuse("must start with a '/'")
  for (const [index, step] of urlPath.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') refuse(`segment[${index}] may not be empty`)
    else for (const problem of validateDns1123Subdomain(step)) refuse(`segment[${index}]: ${problem}`)
  }
  return errors
}
