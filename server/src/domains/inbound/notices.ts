import { stringifyAscii } from '../../kernel/json/ascii.ts'
import { isObject, type JsonObject, toText } from '../../kernel/json/values.ts'
import type { NewEvent } from '../events/catalog.ts'
import { toContact } from '../messages/contact.ts'
import { readHistory } from './history.ts'
import { type ChannelContext, findContact, listObjects } from './message-updates.ts'
import { chunk, type Part } from './notice-parts.ts'
import { toDigitsOrNull, toShortTextOrNull, toTimestamp } from './texts.ts'

/**
 * An event of one part of a change, of which the message log has nothing: a person's preference or ids, a call, a group. The
 * upstream repeats parts in other changes, so each has its effect once: `part` tells it from others of its channel.
 */
export type Notice = { organizationId: string; channelId: string; part: string; event: NewEvent }

const GROUP_FIELD = /^group_\w+_update$/
const CONTACTS_PER_EVENT = 100

/** Returns true if the notices of a field need a channel that imports its history. */
export function isOfHistory(field: string): boolean {
  return field === 'history'
}

/** Reads what the events of a change are that are about neither a message nor the account. */
export function toNotices(field: string, value: unknown, context: ChannelContext): Notice[] {
  if (!isObject(value)) return []
  const { organization_id: organizationId, channel_id: channelId } = context.channel
  return readParts(field, value, context).map(({ kind, at, data, part }) => ({
    organizationId,
    channelId,
    part: stringifyAscii([field, part]),
    event: { organizationId, channelId, kind, occurredAt: toTimestamp(at, context.now), data },
  }))
}

function readParts(field: string, value: JsonObject, context: ChannelContext): Part[] {
  if (field === 'user_preferences')
    return listObjects(value.user_preferences).flatMap((it) => readPreference(it, value))
  if (field === 'user_id_update') return listObjects(value.user_id_update).flatMap((it) => readUserIds(it, value))
  if (field === 'smb_app_state_sync') return readSyncedContacts(value)
  if (field === 'history') return readHistory(value, context)
  if (field === 'calls') return [...readCalls(value), ...readCallStatuses(value)]
  if (field === 'messages') return readCallStatuses(value)
  return GROUP_FIELD.test(field) ? listObjects(value.groups).flatMap((group) => readGroup(field, group)) : []
}

function readPreference(preference: JsonObject, value: JsonObject): Part[] {
  const [category, chosen] = [toShortTextOrNull(preference.category), toShortTextOrNull(preference.value)]
  if (category === null || chosen === null) return []
  const contact = findPerson(value, {
    wa_id: toShortTextOrNull(preference.wa_id),
    user_id: toShortTextOrNull(preference.user_id),
    parent_user_id: toShortTextOrNull(preference.parent_user_id),
  })
  const data = { contact, preference: { category, value: chosen, detail: toText(preference.detail) } }
  return [{ kind: 'contact.preferences', at: preference.timestamp, data, part: preference }]
}

/** Nothing else of these events names the person, so the ids of the part count where the change has no contact. */
function findPerson(
  value: JsonObject,
  ids: { wa_id: string | null; user_id: string | null; parent_user_id: string | null },
) {
  const found = findContact(value, ids)
  return found === null && ids.wa_id === null ? null : toContact({ ...found, wa_id: found?.wa_id ?? ids.wa_id })
}

function readUserIds(update: JsonObject, value: JsonObject): Part[] {
  const [user, parent] = [readChange(update.user_id), readChange(update.parent_user_id)]
  if (user.current === null && parent.current === null) return []
  const contact = findPerson(value, {
    wa_id: toShortTextOrNull(update.wa_id),
    user_id: user.current,
    parent_user_id: parent.current,
  })
  const data = { contact, previous: toPrevious({ user_id: user.previous, parent_user_id: parent.previous }) }
  return [{ kind: 'contact.changed', at: update.timestamp, data, part: update }]
}

function readChange(change: unknown) {
  const { previous, current } = isObject(change) ? change : {}
  return { previous: toShortTextOrNull(previous), current: toShortTextOrNull(current) }
}

/** The ids that a person had: those that are known. */
function toPrevious(ids: Record<string, string | null>) {
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null))
}

function readSyncedContacts(value: JsonObject): Part[] {
  const synced = listObjects(value.state_sync).flatMap((entry) => {
    const { contact, action, metadata } = entry
    if (!isObject(contact)) return []
    const wa_id = toDigitsOrNull(contact.phone_number)
    const timestamp = isObject(metadata) ? metadata.timestamp : undefined
    const names = { name: toText(contact.full_name), first_name: toText(contact.first_name) }
    return wa_id === null ? [] : [{ entry, timestamp, contact: { wa_id, ...names, action: toText(action) } }]
  })
  return chunk(synced, CONTACTS_PER_EVENT).map((list) => ({
    kind: 'contact.synced',
    at: list.at(-1)?.timestamp,
    data: { contacts: list.map(({ contact }) => contact) },
    part: list.map(({ entry }) => entry),
  }))
}

/** A problem of the only call stands beside it. */
function readCalls({ calls, errors }: JsonObject): Part[] {
  const list = listObjects(calls)
  return list.flatMap((given) => {
    const call = list.length === 1 && errors !== undefined ? { errors, ...given } : given
    const isIncoming = call.event === 'connect' && call.direction === 'USER_INITIATED'
    return toCallPart(isIncoming ? 'call.received' : 'call.status', call)
  })
}

function readCallStatuses({ statuses }: JsonObject): Part[] {
  return listObjects(statuses)
    .filter(({ type }) => type === 'call')
    .flatMap((status) => toCallPart('call.status', status))
}

/** The session of a call is for who answers it, is only valid for seconds, and is in the raw event. */
function toCallPart(kind: 'call.received' | 'call.status', { session, ...call }: JsonObject): Part[] {
  const id = toShortTextOrNull(call.id)
  return id === null ? [] : [{ kind, at: call.timestamp, data: { call: { ...call, id } }, part: call }]
}

function readGroup(field: string, group: JsonObject): Part[] {
  const group_id = toShortTextOrNull(group.group_id)
  if (group_id === null) return []
  return [{ kind: 'group.changed', at: group.timestamp, data: { group_id, change: { ...group, field } }, part: group }]
}
