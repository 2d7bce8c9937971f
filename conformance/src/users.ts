/** Who may ask, by bearer token. The real server reads them from a file; the comparison gives ours the same. */
export const users = {
  admin: { token: 'admin-token', name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
  /** May do nothing. */
  jane: { token: 'jane-token', name: 'jane', uid: 'jane-uid', groups: ['devs'] },
} as const
