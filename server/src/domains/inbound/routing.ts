import { isObject, type JsonObject, toText } from '../../kernel/json/values.ts'
import type { Change } from './envelope.ts'
import { toShortTextOrNull } from './texts.ts'

/** A channel that a change may concern, found by its number or account. */
export type TargetChannel = {
  organization_id: string
  channel_id: string
  phone_number_id: string
  waba_id: string
  display_digits: string
}

/** Fields whose changes identify the number by its digits only, which are unique within an account. */
const BY_DISPLAY_NUMBER = new Set([
  'phone_number_quality_update',
  'phone_number_name_update',
  'security',
  'business_username_updates',
  'business_username_update',
])

/** The number or account that a change is about. */
export type ChangeTarget = { phoneNumberId: string } | { wabaId: string; digits: string | null } | null

/**
 * The target of a change: the number in its metadata; else the account that it names,
 * since partner events have the partner's business as their entry; else the account of its
 * entry. Digits select one number of the account.
 */
export function findChangeTarget({ field, entryId, value }: Pick<Change, 'field' | 'entryId' | 'value'>): ChangeTarget {
  const content: JsonObject = isObject(value) ? value : {}
  const number = isObject(content.metadata) ? toShortTextOrNull(content.metadata.phone_number_id) : null
  if (number !== null) return { phoneNumberId: number }
  if (content.entity_type === 'PHONE_NUMBER') {
    const entity = toShortTextOrNull(content.entity_id)
    if (entity !== null) return { phoneNumberId: entity }
  }
  const named = isObject(content.waba_info) ? toShortTextOrNull(content.waba_info.waba_id) : null
  const wabaId = named ?? toShortTextOrNull(entryId)
  if (wabaId === null) return null
  const display = BY_DISPLAY_NUMBER.has(field) ? content.display_phone_number : content.phone_number
  return { wabaId, digits: toDigits(display) }
}

/** The channels that a target covers. */
export function findTargetChannels(target: ChangeTarget, channels: ChannelIndex): TargetChannel[] {
  if (target === null) return []
  if ('phoneNumberId' in target) return [channels.byNumber.get(target.phoneNumberId) ?? []].flat()
  const ofAccount = channels.byAccount.get(target.wabaId) ?? []
  return target.digits === null ? ofAccount : ofAccount.filter((channel) => channel.display_digits === target.digits)
}

type ChannelIndex = { byNumber: Map<string, TargetChannel>; byAccount: Map<string, TargetChannel[]> }

export function buildChannelIndex(channels: TargetChannel[]): ChannelIndex {
  return {
    byNumber: new Map(channels.map((channel) => [channel.phone_number_id, channel])),
    byAccount: Map.groupBy(channels, (channel) => channel.waba_id),
  }
}

function toDigits(value: unknown): string | null {
  const digits = toText(value)?.replace(/\D/g, '') ?? ''
  return digits === '' ? null : digits
}
