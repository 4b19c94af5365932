import { isObject, type JsonObject, toText } from '../../kernel/json/values.ts'
import type { Change } from './envelope.ts'
import { toNameOrNull } from './texts.ts'

/** A channel in the directory of numbers. */
export type Holder = {
  organization_id: string
  channel_id: string
  phone_number_id: string
  waba_id: string
  display_digits: string
  is_connected: boolean
}

/** Fields whose changes identify the number by its digits only, which are unique within an account. */
const BY_DISPLAY_NUMBER = new Set([
  'phone_number_quality_update',
  'phone_number_name_update',
  'security',
  'business_username_update',
])

/** The number or account that a change is about. */
export type Address = { phoneNumberId: string } | { wabaId: string; digits: string | null } | null

/**
 * The address of a change: the number in its metadata; else the account that it names,
 * since partner events have the partner's business as their entry; else the account of its
 * entry. Digits select one number of the account.
 */
export function findAddress({ field, entryId, value }: Change): Address {
  const content: JsonObject = isObject(value) ? value : {}
  const number = isObject(content.metadata) ? toNameOrNull(content.metadata.phone_number_id) : null
  if (number !== null) return { phoneNumberId: number }
  if (content.entity_type === 'PHONE_NUMBER') {
    const entity = toNameOrNull(content.entity_id)
    if (entity !== null) return { phoneNumberId: entity }
  }
  const named = isObject(content.waba_info) ? toNameOrNull(content.waba_info.waba_id) : null
  const wabaId = named ?? toNameOrNull(entryId)
  if (wabaId === null) return null
  const display = BY_DISPLAY_NUMBER.has(field) ? content.display_phone_number : content.phone_number
  return { wabaId, digits: toDigits(display) }
}

/** The channels at an address. */
export function findHolders(address: Address, holders: Directory): Holder[] {
  if (address === null) return []
  if ('phoneNumberId' in address) return [holders.byNumber.get(address.phoneNumberId) ?? []].flat()
  const ofAccount = holders.byAccount.get(address.wabaId) ?? []
  return address.digits === null ? ofAccount : ofAccount.filter((holder) => holder.display_digits === address.digits)
}

export type Directory = { byNumber: Map<string, Holder>; byAccount: Map<string, Holder[]> }

export function toDirectory(holders: Holder[]): Directory {
  return {
    byNumber: new Map(holders.map((holder) => [holder.phone_number_id, holder])),
    byAccount: Map.groupBy(holders, (holder) => holder.waba_id),
  }
}

function toDigits(value: unknown): string | null {
  const digits = toText(value)?.replace(/\D/g, '') ?? ''
  return digits === '' ? null : digits
}
