import type { ParameterName } from '@hubline/locales/catalog.ts'
import { en as TEXTS } from '@hubline/locales/checks/en.ts'
import type { Parameters } from '../../../kernel/errors.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import type { Result } from '../../../upstream/http/errors.ts'
import type { PhoneNumber } from '../../../upstream/resources/phone-numbers.ts'
import type { Check, Diagnostics } from '../schemas.ts'
import { toStatusChange } from '../status.ts'
import type { AccountSubscription } from '../subscriptions/service.ts'

const DAY_MS = 86_400_000

const FOUND: Readonly<Record<string, string>> = TEXTS.found
const REMEDIES: Readonly<Record<string, string>> = TEXTS.remedies

export type CheckReason = keyof typeof TEXTS.found
type Parameterized<Why extends CheckReason> = [ParameterName<(typeof TEXTS.found)[Why]>] extends [never]
  ? []
  : [parameters: Readonly<Record<ParameterName<(typeof TEXTS.found)[Why]>, string | number>>]

/** The message is the sentence of the reason, and so is the remedy, for a reason that has one. */
export function toCheck<Why extends CheckReason>(
  id: Check['id'],
  status: Check['status'],
  reason: Why,
  ...[given]: Parameterized<Why>
): Check {
  const parameters: Parameters = given ?? {}
  const message = fillText(FOUND[reason] ?? reason, parameters)
  return { id, status, reason, parameters, message, remedy: REMEDIES[reason] ?? null }
}

export function checkToken(result: Result<{ is_valid: boolean; app_id: string | null }>, appId: string): Check {
  // The upstream is asked with the credential of the hub's app, not with the channel's.
  if (!result.ok && result.failure.kind === 'refused') return toCheck('token', 'failing', 'hub_app_refused')
  if (!result.ok) return unknown('token', false)
  if (!result.value.is_valid) return toCheck('token', 'failing', 'token_refused')
  if (result.value.app_id !== appId) return toCheck('token', 'failing', 'token_of_another_app')
  return toCheck('token', 'ok', 'token_accepted')
}

export function checkNumber(result: Result<PhoneNumber>): Check {
  if (!result.ok) return unknown('number', result.failure.kind === 'refused')
  const change = toStatusChange(result.value.status)
  const status = result.value.status ?? 'UNKNOWN'
  if (change?.status === 'disconnected') return toCheck('number', 'failing', 'number_not_connected', { status })
  if (change?.status === 'active') return toCheck('number', 'ok', 'number_connected')
  return toCheck('number', 'warning', 'number_restricted', { status })
}

/** A cell also says which address receives the messages of the number. */
export function checkSubscription(result: Result<AccountSubscription>): Check {
  const id = 'subscription'
  if (!result.ok) return unknown(id, result.failure.kind === 'refused')
  const { isSubscribed, receiver } = result.value
  if (!isSubscribed) return toCheck(id, 'failing', 'not_subscribed')
  if (receiver === null) return toCheck(id, 'ok', 'subscribed')
  const parameters = { cell: receiver.cell, url: receiver.url ?? '–' }
  if (receiver.at === 'elsewhere') return toCheck(id, 'failing', 'callbacks_elsewhere', parameters)
  if (receiver.at === 'app') return toCheck(id, 'warning', 'callbacks_to_app', parameters)
  return toCheck(id, 'ok', 'callbacks_to_cell', parameters)
}

/** Callbacks of the channel's account: when the last one was verified, and when the last one was refused. */
export type CallbackTimes = { verifiedAt: Date | null; refusedAt: Date | null; refused: number }

/** Anonymous clients can send callbacks that are refused, so they are only a warning beside verified ones. */
export function checkSignature({ verifiedAt, refusedAt, refused }: CallbackTimes, now: Date): Check {
  const id = 'webhook_signature'
  if (refusedAt === null || (verifiedAt !== null && verifiedAt >= refusedAt)) {
    if (verifiedAt === null) return toCheck(id, 'skipped', 'no_callback')
    return toCheck(id, 'ok', 'callback_verified', { at: verifiedAt.toISOString() })
  }
  const isVerifiedLately = verifiedAt !== null && now.getTime() - verifiedAt.getTime() < DAY_MS
  const parameters = { refused, at: refusedAt.toISOString() }
  return toCheck(id, isVerifiedLately ? 'warning' : 'failing', 'callbacks_refused', parameters)
}

type Receivers = { active: number; listeners: number; paused: number; paused_names: readonly string[] }

/** A paused endpoint is named, because it gets nothing until a person activates it. */
export function checkEndpoints({ active, listeners, paused, paused_names }: Receivers): Check {
  const isReceived = active + listeners > 0
  if (paused > 0) {
    const names = [...paused_names.map(toShownName), ...(paused > paused_names.length ? ['…'] : [])].join(', ')
    const parameters = { names, active, listeners }
    return isReceived
      ? toCheck('endpoints', 'ok', 'endpoints_paused', parameters)
      : toCheck('endpoints', 'warning', 'endpoints_all_paused', parameters)
  }
  return isReceived
    ? toCheck('endpoints', 'ok', 'endpoints_active', { active, listeners })
    : toCheck('endpoints', 'warning', 'no_endpoint')
}

/** Some endpoints are named by their address, whose path and query often hold a credential. */
function toShownName(name: string): string {
  return /^https?:/.test(name) && URL.canParse(name) ? new URL(name).origin : name
}

export function summarize(checks: Check[]): Diagnostics['overall'] {
  if (checks.some(({ status }) => status === 'failing')) return 'failing'
  return checks.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}

/** A refusal is a finding; no response is not the channel's fault. */
function unknown(id: Check['id'], isRefused: boolean): Check {
  return isRefused ? toCheck(id, 'failing', 'upstream_refused') : toCheck(id, 'warning', 'upstream_unavailable')
}
