import type { Clock } from '../../../kernel/clock.ts'
import type { Result } from '../../../upstream/http/errors.ts'
import { isSubscribed, type Subscription } from '../../../upstream/resources/accounts.ts'
import type { PhoneNumber } from '../../../upstream/resources/phone-numbers.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { Events } from '../../events/service.ts'
import type { Endpoints } from '../../webhooks/endpoints/service.ts'
import type { ChannelConnections } from '../connection/service.ts'
import type { Check, Diagnostics } from '../schemas.ts'
import { toStatusChange } from '../status.ts'

const RECONNECT = 'Make a new connect link and let the owner of the number use it.'
const TAKEN = 'Use the channel that has the number, or disconnect the number there and connect this channel again.'
const TRY_LATER = 'Nothing is known to be wrong. Ask again in a few minutes.'

type Dependencies = {
  upstream: Upstream
  appId: string
  connections: ChannelConnections
  endpoints: Endpoints
  events: Events
  now: Clock
}

export type Diagnosis = ReturnType<typeof createDiagnosis>

/** Checks what works for a channel, live at the upstream, with a remedy for each failing check. */
export function createDiagnosis({ upstream, appId, connections, endpoints, events, now }: Dependencies) {
  async function checkUpstream(
    organizationId: string,
    row: Awaited<ReturnType<ChannelConnections['find']>>,
  ): Promise<Check[]> {
    const { phone_number_id, waba_id } = row
    if (phone_number_id === null || waba_id === null) {
      return [
        failing('token', 'The channel was never connected.', 'Open its connect link, or make a new one.'),
        skipped('number', 'There is no number yet.'),
        skipped('subscription', 'There is no account yet.'),
      ]
    }
    const token = connections.readToken(organizationId, row)
    if (token === undefined) {
      return [
        failing('token', 'The stored credential cannot be read.', RECONNECT),
        skipped('number', 'It cannot be asked for without a credential.'),
        skipped('subscription', 'It cannot be asked for without a credential.'),
      ]
    }
    const [info, number, subscriptions] = await Promise.all([
      upstream.oauth.debugToken(token),
      upstream.phoneNumbers.get(token, phone_number_id),
      upstream.accounts.listSubscriptions(token, waba_id),
    ])
    const isTaken = await connections.isTaken({ organizationId, id: row.id }, phone_number_id)
    return [
      tokenCheck(info, appId),
      isTaken ? failing('number', 'The number is connected to another channel now.', TAKEN) : numberCheck(number),
      subscriptionCheck(subscriptions, appId),
    ]
  }

  return {
    async run(organizationId: string, id: string): Promise<Diagnostics> {
      const row = await connections.find({ organizationId, id })
      const receivers = await endpoints.countReceivers({ organizationId, channelId: id })
      const checks = [
        ...(await checkUpstream(organizationId, row)),
        signatureCheck(await events.lastCallbackAt(organizationId, id)),
        endpointsCheck(receivers),
      ]
      return { checked_at: now().toISOString(), overall: summarize(checks), checks }
    },
  }
}

function tokenCheck(result: Result<{ is_valid: boolean; app_id: string | null }>, appId: string): Check {
  if (!result.ok) return unknown('token', result.failure.isCredentialRefused)
  if (!result.value.is_valid)
    return failing('token', 'The upstream does not accept the credential any more.', RECONNECT)
  if (result.value.app_id !== appId) return failing('token', 'The credential was made for another app.', RECONNECT)
  return ok('token', 'The upstream accepts the credential.')
}

function numberCheck(result: Result<PhoneNumber>): Check {
  if (!result.ok) return unknown('number', result.failure.kind === 'refused')
  const change = toStatusChange(result.value.status)
  const numberStatus = result.value.status ?? 'UNKNOWN'
  if (change?.status === 'disconnected')
    return failing('number', `The number is ${numberStatus} at the upstream.`, RECONNECT)
  if (change?.status === 'active') return ok('number', 'The number is registered and connected.')
  const remedy = "See the number's page in WhatsApp Manager for what the upstream asks for."
  return { id: 'number', status: 'warning', message: `The number is ${numberStatus} at the upstream.`, remedy }
}

function subscriptionCheck(result: Result<Subscription[]>, appId: string): Check {
  if (!result.ok) return unknown('subscription', result.failure.kind === 'refused')
  if (isSubscribed(result.value, appId))
    return ok('subscription', "The hub's app is subscribed to the account's callbacks.")
  const remedy = 'The hub subscribes again by itself within the hour; connect the channel again to do it at once.'
  return failing('subscription', "The hub is not subscribed to the account's callbacks.", remedy)
}

/** Unsigned callbacks are refused, so every recorded callback was verified. */
function signatureCheck(lastCallbackAt: string | undefined): Check {
  const id = 'webhook_signature'
  if (lastCallbackAt === undefined) return skipped(id, 'No callback of the upstream has arrived for this channel yet.')
  return ok(id, `The last callback of the upstream was verified; it is of ${lastCallbackAt}.`)
}

function endpointsCheck(receivers: number): Check {
  if (receivers > 0) return ok('endpoints', `Active webhook endpoints that receive this channel: ${receivers}.`)
  const remedy = 'Create a webhook endpoint, activate a paused one, or add this channel to one.'
  return { id: 'endpoints', status: 'warning', message: 'No active webhook endpoint receives this channel.', remedy }
}

function summarize(checks: Check[]): Diagnostics['overall'] {
  if (checks.some(({ status }) => status === 'failing')) return 'failing'
  return checks.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}

function ok(id: Check['id'], message: string): Check {
  return { id, status: 'ok', message, remedy: null }
}

function failing(id: Check['id'], message: string, remedy: string): Check {
  return { id, status: 'failing', message, remedy }
}

function skipped(id: Check['id'], message: string): Check {
  return { id, status: 'skipped', message, remedy: null }
}

/** A refusal is a finding; no response is not the channel's fault. */
function unknown(id: Check['id'], isRefused: boolean): Check {
  if (isRefused) return failing(id, 'The upstream refused to answer for this channel.', RECONNECT)
  return { id, status: 'warning', message: 'The upstream gave no answer just now.', remedy: TRY_LATER }
}
