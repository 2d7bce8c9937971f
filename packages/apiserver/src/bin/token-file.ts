import type { TransportUser } from 'steersman/environment'

/** Users by bearer token, from lines `token,user,uid,"group1,group2"`. Lines with fewer than three parts count for nothing. */
export function parseTokenFile(text: string): ReadonlyMap<string, TransportUser> {
  const users = new Map<string, TransportUser>()
  for (const line of text.split('\n')) {
    const [token = '', name = '', uid, groups = ''] = Array.from(
      line.trim().matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g),
      (match) => match[1] ?? match[2] ?? '',
    )
    if (token === '' || name === '' || uid === undefined) continue
    users.set(token, { name, ...(uid === '' ? {} : { uid }), groups: groups.split(',').filter((group) => group !== '') })
  }
  return users
}
