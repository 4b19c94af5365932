import type { AuditEntry } from '@hubline/sdk'
import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '../../api/channels.ts'
import { membersQuery, newestKeysQuery } from '../../api/members.ts'
import { useSession } from '../../api/session.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { type KnownName, listNamesOfEntries, sortNames } from './known-names.ts'

/** The names of targets and of those who act. What exists has its present name, and the entries name the rest. */
export function useKnownNames(entries: readonly AuditEntry[]): { targets: KnownName[]; actors: KnownName[] } {
  const { organization } = useSession()
  const { data: channels = [] } = useQuery(channelsQuery)
  const { data: webhooks = [] } = useQuery(webhooksQuery)
  const { data: members = [] } = useQuery(membersQuery)
  const { data: keys = [] } = useQuery(newestKeysQuery)
  const read = listNamesOfEntries(entries)
  const people = [
    ...members.map(({ id, name }) => ({ id, type: 'user', name })),
    ...keys.map(({ id, name }) => ({ id, type: 'api_key', name })),
  ]
  const things = [
    { id: organization.id, type: 'organization', name: organization.name },
    ...channels.map(({ id, name }) => ({ id, type: 'channel', name })),
    ...webhooks.map(({ id, name }) => ({ id, type: 'webhook', name })),
  ]
  return {
    targets: sortNames([...things, ...people, ...read.targets]),
    actors: sortNames([...people, ...read.actors]),
  }
}
