import type { Result } from '../../../upstream/http/errors.ts'
import { isSubscribed, type Subscription } from '../../../upstream/resources/accounts.ts'
import type { PhoneNumber } from '../../../upstream/resources/phone-numbers.ts'
import type { Check, Diagnostics } from '../schemas.ts'
import { toStatusChange } from '../status.ts'

const RECONNECT = 'Create a new connect link and let the owner of the number use it.'
export const RESTORE_KEY = `Give the hub the sealing key that encrypted it. If that is lost: ${RECONNECT}`
export const USE_OTHER_CHANNEL =
  'Use the channel that has the number, or disconnect the number there and connect this channel again.'
const COMPARE_SECRETS =
  "Ask the operator of the hub whether UPSTREAM_APP_SECRET is the secret of its app at Meta. Other clients' requests also count."
const CHECK_APP = 'Ask the operator of the hub to check UPSTREAM_APP_ID and UPSTREAM_APP_SECRET.'
const DAY_MS = 86_400_000
const TRY_LATER = 'No fault is known. Run the diagnostics again in a few minutes.'

export function checkToken(result: Result<{ is_valid: boolean; app_id: string | null }>, appId: string): Check {
  // The upstream is asked with the credential of the hub's app, not with the channel's.
  if (!result.ok && result.failure.kind === 'refused')
    return failing('token', 'The upstream refuses the app of this hub.', CHECK_APP)
  if (!result.ok) return unknown('token', false)
  if (!result.value.is_valid) return failing('token', 'The upstream no longer accepts the credential.', RECONNECT)
  if (result.value.app_id !== appId) return failing('token', 'The credential was issued to another app.', RECONNECT)
  return ok('token', 'The upstream accepts the credential.')
}

export function checkNumber(result: Result<PhoneNumber>): Check {
  if (!result.ok) return unknown('number', result.failure.kind === 'refused')
  const change = toStatusChange(result.value.status)
  const numberStatus = result.value.status ?? 'UNKNOWN'
  if (change?.status === 'disconnected')
    return failing('number', `The number is ${numberStatus} at the upstream.`, RECONNECT)
  if (change?.status === 'active') return ok('number', 'The number is registered and connected.')
  const remedy = "See the number's page in WhatsApp Manager for what the upstream requires."
  return { id: 'number', status: 'warning', message: `The number is ${numberStatus} at the upstream.`, remedy }
}

export function checkSubscription(result: Result<Subscription[]>, appId: string): Check {
  if (!result.ok) return unknown('subscription', result.failure.kind === 'refused')
  if (isSubscribed(result.value, appId))
    return ok('subscription', "The hub's app is subscribed to the account's callbacks.")
  const remedy = 'The hub subscribes again by itself within the hour; connect the channel again to do it at once.'
  return failing('subscription', "The hub is not subscribed to the account's callbacks.", remedy)
}

/** Callbacks of the channel's account: when the last one was verified, and when the last one was refused. */
export type CallbackTimes = { verifiedAt: Date | null; refusedAt: Date | null; refused: number }

/** Anonymous clients can send callbacks that are refused, so they are only a warning beside verified ones. */
export function checkSignature({ verifiedAt, refusedAt, refused }: CallbackTimes, now: Date): Check {
  const id = 'webhook_signature'
  if (refusedAt === null || (verifiedAt !== null && verifiedAt >= refusedAt)) {
    if (verifiedAt === null)
      return skipped(id, "No callback of the upstream has arrived for this channel's account yet.")
    return ok(id, `The last callback of the upstream, at ${verifiedAt.toISOString()}, was verified.`)
  }
  const isVerifiedLately = verifiedAt !== null && now.getTime() - verifiedAt.getTime() < DAY_MS
  const message = `Callbacks for this account had a wrong signature: ${refused}, the last at ${refusedAt.toISOString()}.`
  return { id, status: isVerifiedLately ? 'warning' : 'failing', message, remedy: COMPARE_SECRETS }
}

type Receivers = { active: number; listeners: number; paused: number; paused_names: readonly string[] }

/** A paused endpoint is named, because it gets nothing until a person activates it. */
export function checkEndpoints({ active, listeners, paused, paused_names }: Receivers): Check {
  const status = active + listeners > 0 ? 'ok' : 'warning'
  const remedy =
    status === 'ok' ? null : 'Create a webhook endpoint, activate a paused one, or add this channel to one.'
  if (paused > 0) {
    const names = [...paused_names.map(toShownName), ...(paused > paused_names.length ? ['…'] : [])].join(', ')
    const message = `Paused webhook endpoints of this channel: ${names}. Active: ${active}. Listeners: ${listeners}.`
    return { id: 'endpoints', status, message, remedy }
  }
  const message =
    status === 'ok'
      ? `Active webhook endpoints that receive this channel: ${active}. Listeners: ${listeners}.`
      : 'No active webhook endpoint receives this channel.'
  return { id: 'endpoints', status, message, remedy }
}

/** Some endpoints are named by their address, whose path and query often hold a credential. */
function toShownName(name: string): string {
  return /^https?:/.test(name) && URL.canParse(name) ? new URL(name).origin : name
}

export function summarize(checks: Check[]): Diagnostics['overall'] {
  if (checks.some(({ status }) => status === 'failing')) return 'failing'
  return checks.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}

function ok(id: Check['id'], message: string): Check {
  return { id, status: 'ok', message, remedy: null }
}

export function failing(id: Check['id'], message: string, remedy: string): Check {
  return { id, status: 'failing', message, remedy }
}

export function skipped(id: Check['id'], message: string): Check {
  return { id, status: 'skipped', message, remedy: null }
}

/** A refusal is a finding; no response is not the channel's fault. */
function unknown(id: Check['id'], isRefused: boolean): Check {
  if (isRefused) return failing(id, 'The upstream refused the request for this channel.', RECONNECT)
  return { id, status: 'warning', message: 'The upstream did not respond.', remedy: TRY_LATER }
}
