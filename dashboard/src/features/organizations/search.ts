/** `invite` opens the form of an invitation. */
export type MembersSearch = { invite?: true }

export function parseMembersSearch({ invite }: Record<string, unknown>): MembersSearch {
  return invite === true ? { invite: true } : {}
}
