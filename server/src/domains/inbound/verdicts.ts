import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'
import type { Verdict } from '../channels/status.ts'
import { nameOrNull } from './texts.ts'

/** The year 2100: what lies behind it is no time, and nothing lasts longer. */
const TIME_END = 4_102_444_800

/** What the upstream's events about an account mean for its channels. Others mean nothing for them. */
const ACCOUNT_VERDICTS: Record<string, Verdict> = {
  PARTNER_REMOVED: { status: 'disconnected', reason: 'partner_removed' },
  PARTNER_APP_UNINSTALLED: { status: 'disconnected', reason: 'app_uninstalled' },
  ACCOUNT_DELETED: { status: 'disconnected', reason: 'account_deleted' },
  ACCOUNT_RESTRICTION: { status: 'degraded', reason: 'account_restricted' },
  ACCOUNT_OFFBOARDED: { status: 'degraded', reason: 'account_offboarded' },
  ACCOUNT_RECONNECTED: { status: 'active', reason: 'account_reconnected' },
}

const BAN_VERDICTS: Record<string, Verdict> = {
  DISABLE: { status: 'disconnected', reason: 'account_disabled' },
  SCHEDULE_FOR_DISABLE: { status: 'degraded', reason: 'account_ban_scheduled' },
  REINSTATE: { status: 'active', reason: 'account_reinstated' },
}

const NUMBER_VERDICTS: Record<string, Verdict> = {
  FLAGGED: { status: 'degraded', reason: 'number_flagged' },
  UNFLAGGED: { status: 'active', reason: 'number_unflagged' },
}

export function verdictOf(field: string, value: unknown): Verdict | null {
  if (!isObject(value) || typeof value.event !== 'string') return null
  if (field === 'phone_number_quality_update') return own(NUMBER_VERDICTS, value.event)
  if (field !== 'account_update') return null
  return value.event === 'DISABLED_UPDATE' ? banVerdict(value) : own(ACCOUNT_VERDICTS, value.event)
}

/**
 * Until when a bad word on an account stands, in Unix milliseconds: until its
 * restrictions end, where it names their end; else until the upstream takes it back.
 */
export function heldUntil(value: unknown): number {
  const restrictions = isObject(value) ? toList(value.restriction_info) : []
  const ends = restrictions.map((one) => (isObject(one) ? Number(one.expiration) : Number.NaN))
  const isTimed = ends.length > 0 && ends.every((end) => Number.isInteger(end) && end > 0 && end < TIME_END)
  return 1000 * (isTimed ? ends.reduce((latest, end) => Math.max(latest, end), 0) : TIME_END)
}

/** A new name that the upstream has approved. */
export function nameOf(field: string, value: unknown): string | null {
  if (field !== 'phone_number_name_update' || !isObject(value) || value.decision !== 'APPROVED') return null
  return nameOrNull(value.requested_verified_name)
}

function banVerdict({ ban_info: ban }: JsonObject): Verdict | null {
  return isObject(ban) && typeof ban.waba_ban_state === 'string' ? own(BAN_VERDICTS, ban.waba_ban_state) : null
}

function own(table: Record<string, Verdict>, word: string): Verdict | null {
  return Object.hasOwn(table, word) ? (table[word] ?? null) : null
}
