import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { emitMessages, getTimestamp } from '../messages/statuses.ts'
import type { Phone } from '../model.ts'

/** The field of each change of a group. */
export const GROUP_CHANGES: Readonly<Record<string, string>> = {
  group_create: 'group_lifecycle_update',
  group_delete: 'group_lifecycle_update',
  group_participants_add: 'group_participants_update',
  group_participants_remove: 'group_participants_update',
  group_settings_update: 'group_settings_update',
  group_suspend: 'group_status_update',
  group_suspend_cleared: 'group_status_update',
}

type GroupChange = { type: string; groupId: string | undefined; members: JsonObject }

/** Reports a change of a group of the number, and returns the id of the group. */
export function emitGroup(graph: Graph, phone: Phone, { type, groupId, members }: GroupChange): string {
  const id = groupId ?? Buffer.from(`capi_group:${phone.digits}${graph.random.text(8)}`).toString('base64url')
  const group = { timestamp: getTimestamp(graph), group_id: id, type, ...members }
  emitMessages(graph, phone, { groups: [group] }, GROUP_CHANGES[type])
  return id
}
