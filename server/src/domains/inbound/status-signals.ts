import { isObject, type JsonObject, toList, toText } from '../../kernel/json/values.ts'
import type { StatusChange } from '../channels/status.ts'
import { TIMESTAMP_MAX, toShortTextOrNull } from './texts.ts'

/** Maps events about an account to signals for its channels. Other events change nothing. */
const ACCOUNT_EVENT_CHANGES: Record<string, StatusChange> = {
  PARTNER_REMOVED: { status: 'disconnected', reason: 'partner_removed' },
  PARTNER_APP_UNINSTALLED: { status: 'disconnected', reason: 'app_uninstalled' },
  ACCOUNT_DELETED: { status: 'disconnected', reason: 'account_deleted' },
  ACCOUNT_RESTRICTION: { status: 'degraded', reason: 'account_restricted' },
  ACCOUNT_OFFBOARDED: { status: 'degraded', reason: 'account_offboarded' },
  ACCOUNT_RECONNECTED: { status: 'active', reason: 'account_reconnected' },
}

const MESSAGING_RESTRICTIONS = ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING']
const MESSAGING_BLOCKED: StatusChange = { status: 'degraded', reason: 'account_messaging_blocked' }

const BAN_STATE_CHANGES: Record<string, StatusChange> = {
  DISABLE: { status: 'disconnected', reason: 'account_disabled' },
  SCHEDULE_FOR_DISABLE: { status: 'degraded', reason: 'account_ban_scheduled' },
  REINSTATE: { status: 'active', reason: 'account_reinstated' },
}

const NUMBER_EVENT_CHANGES: Record<string, StatusChange> = {
  FLAGGED: { status: 'degraded', reason: 'number_flagged' },
  UNFLAGGED: { status: 'active', reason: 'number_unflagged' },
}

/** Returns true if a change of a number leaves out its new rating or throughput level. */
export function asksForCheck({ field, value }: { field: string; value: unknown }): boolean {
  if (field !== 'phone_number_quality_update') return false
  return readStatusChange(field, value) !== null || (isObject(value) && value.event === 'THROUGHPUT_UPGRADE')
}

export function readStatusChange(field: string, value: unknown): StatusChange | null {
  if (!isObject(value) || typeof value.event !== 'string') return null
  if (field === 'phone_number_quality_update') return lookUp(NUMBER_EVENT_CHANGES, value.event)
  if (field !== 'account_update') return null
  if (value.event === 'ACCOUNT_RESTRICTION' && isMessagingBlocked(value)) return MESSAGING_BLOCKED
  return value.event === 'DISABLED_UPDATE' ? readBanChange(value) : lookUp(ACCOUNT_EVENT_CHANGES, value.event)
}

/** With both restrictions of messaging the account can neither write first nor reply. */
function isMessagingBlocked({ restriction_info }: JsonObject): boolean {
  const types = toList(restriction_info).map((restriction) =>
    isObject(restriction) ? restriction.restriction_type : null,
  )
  return MESSAGING_RESTRICTIONS.every((type) => types.includes(type))
}

/**
 * The end of a bad signal about an account, in Unix milliseconds: the end of its
 * restrictions if all have one, else until the upstream withdraws it.
 */
export function readRestrictedUntilMs(value: unknown): number {
  const restrictions = isObject(value) ? toList(value.restriction_info) : []
  const ends = restrictions.map((restriction) => (isObject(restriction) ? Number(restriction.expiration) : Number.NaN))
  const isTimed = ends.length > 0 && ends.every((end) => Number.isInteger(end) && end > 0 && end < TIMESTAMP_MAX)
  return 1000 * (isTimed ? ends.reduce((latest, end) => Math.max(latest, end), 0) : TIMESTAMP_MAX)
}

/** The new name, if the upstream approved it. */
export function readApprovedName(field: string, value: unknown): string | null {
  if (field !== 'phone_number_name_update' || !isObject(value) || value.decision !== 'APPROVED') return null
  return toShortTextOrNull(value.requested_verified_name)
}

/** The username that the number has from now on, null for none; undefined if the change does not say. */
export function readUsername(field: string, value: unknown): string | null | undefined {
  if (!isUsernameField(field) || !isObject(value)) return undefined
  const status = toText(value.status)?.toLowerCase()
  if (status === 'deleted') return null
  return status === 'approved' ? (toShortTextOrNull(value.username) ?? undefined) : undefined
}

/** The upstream names the field in the plural, and sometimes in the singular. */
function isUsernameField(field: string): boolean {
  return field === 'business_username_updates' || field === 'business_username_update'
}

function readBanChange({ ban_info: ban }: JsonObject): StatusChange | null {
  return isObject(ban) && typeof ban.waba_ban_state === 'string' ? lookUp(BAN_STATE_CHANGES, ban.waba_ban_state) : null
}

function lookUp(table: Record<string, StatusChange>, name: string): StatusChange | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null
}
