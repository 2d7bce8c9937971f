import { validateDns1123Label, validateDns1123Subdomain } from 'steersman/api'

/** What the names of service accounts as users begin with. */
export const serviceAccountPrefix = 'system:serviceaccount:'

/** The account whose name as a user this is. */
export function serviceAccountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!user.startsWith(serviceAccountPrefix)) return undefined
  const [namespace = '', name = '', ...rest] = user.slice(serviceAccountPrefix.length).split(':')
  if (rest.length > 0 || validateDns1123Label(namespace).length > 0 || validateDns1123Subdomain(name).length > 0) return undefined
  return { namespace, name }
}

/** The groups of an account of this namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}
