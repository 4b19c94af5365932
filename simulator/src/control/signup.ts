import { emitPartnerAdded } from '../graph/accounts/account-events.ts'
import type { Graph } from '../graph/context.ts'
import type { Account, Phone } from '../graph/model.ts'
import { isAllowedOrigin } from '../http/requests.ts'
import { type JsonObject, toAsciiJson } from '../json.ts'
import { createReader } from './reader.ts'
import { addAccount, addNumber, issueCode } from './seeding.ts'

/** The receiver of the result of a sign-up: the window that opened the page, or a redirect. */
export type Destination =
  | { kind: 'opener'; origin: string }
  | { kind: 'redirect'; uri: string; state: string | undefined }

export interface SignupOutcome {
  /** The message that Embedded Signup posts about the session. */
  session: JsonObject
  /** The argument of FB.login's callback: the code, or null after a cancellation. */
  login: JsonObject
}

export const OUTCOMES = ['finish', 'coexistence', 'only_account', 'cancel', 'error'] as const
export type OutcomeName = (typeof OUTCOMES)[number]

/** Parses the destination of the page's parameters; undefined if its origin is not allowed. */
export function parseDestination(params: URLSearchParams, allowedOrigins: readonly string[]): Destination | undefined {
  const [uri, origin] = [params.get('redirect_uri'), params.get('opener_origin')]
  const target = uri ?? origin
  if (!target || (uri && origin) || !URL.canParse(target)) return undefined
  const url = new URL(target)
  if (!isAllowedOrigin(url, allowedOrigins)) return undefined
  if (uri) return { kind: 'redirect', uri, state: params.get('state') ?? undefined }
  return { kind: 'opener', origin: url.origin }
}

/** Applies the choices of the form: a new business or an existing number, and the outcome. A failure has the message. */
export function completeSignup(
  graph: Graph,
  form: URLSearchParams,
  destination: Destination,
  failureMessage: string,
): SignupOutcome {
  const outcome = OUTCOMES.find((name) => name === form.get('outcome')) ?? 'finish'
  if (outcome === 'cancel') return buildCancellation({ current_step: 'PHONE_NUMBER_SETUP' })
  if (outcome === 'error') {
    const details = { error_message: failureMessage, error_id: '524126' }
    return buildCancellation({
      ...details,
      session_id: graph.random.text(20),
      timestamp: Math.floor(graph.clock.now() / 1_000),
    })
  }
  const { account, phone } = chooseNumber(graph, form, outcome)
  restoreAccount(graph, account, phone)
  emitPartnerAdded(graph, account)
  const redirectUri = destination.kind === 'redirect' ? destination.uri : ''
  const code = issueCode(graph, [account.id], createReader({ redirect_uri: redirectUri }))
  return {
    session: { type: 'WA_EMBEDDED_SIGNUP', version: 3, ...buildSession(account, phone) },
    login: { authResponse: { code: code.value, userID: null, expiresIn: null }, status: 'connected' },
  }
}

/** Signing up again restores a removed partner and allows the syncs of the business app again. */
function restoreAccount(graph: Graph, account: Account, phone: Phone | undefined): void {
  account.isRemoved = false
  if (!phone) return
  phone.onboardedAt = graph.clock.now()
  phone.syncsDone.clear()
}

/** For a coexistence number the session has only the account. */
function buildSession(account: Account, phone: Phone | undefined): JsonObject {
  if (phone?.isOnBizApp) return { event: 'FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING', data: { waba_id: account.id } }
  const data = { phone_number_id: phone?.id, waba_id: account.id, business_id: account.businessId }
  return { event: phone ? 'FINISH' : 'FINISH_ONLY_WABA', data }
}

function chooseNumber(graph: Graph, form: URLSearchParams, outcome: OutcomeName) {
  const known = graph.state.phones.get(form.get('number') ?? '')
  const knownAccount = known && graph.state.accounts.get(known.wabaId)
  if (knownAccount) return { account: knownAccount, phone: outcome === 'only_account' ? undefined : known }
  const name = form.get('business_name')?.trim() || 'Padaria São João'
  const account = addAccount(graph, createReader({ name }))
  if (outcome === 'only_account') return { account, phone: undefined }
  const number = form.get('new_number')?.trim() || undefined
  const wanted = { number, verified_name: name, coexistence: outcome === 'coexistence' }
  return { account, phone: addNumber(graph, account, createReader(wanted)) }
}

function buildCancellation(data: JsonObject): SignupOutcome {
  const session = { type: 'WA_EMBEDDED_SIGNUP', event: 'CANCEL', version: 3, data }
  return { session, login: { authResponse: null, status: 'unknown' } }
}

/** The redirect has the members of both messages in its query. */
export function buildRedirectUrl(destination: Destination & { kind: 'redirect' }, outcome: SignupOutcome): string {
  const url = new URL(destination.uri)
  const { event, data } = outcome.session as { event: string; data: JsonObject }
  const response = outcome.login.authResponse as { code: string } | null
  const params = response ? { code: response.code } : { error: 'access_denied', error_reason: 'user_denied' }
  for (const [name, value] of Object.entries({ ...params, event, ...data, state: destination.state })) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

/** Window messages are JSON strings, as those of Embedded Signup. */
export function buildWindowMessages(outcome: SignupOutcome): string[] {
  return [outcome.session, { type: 'SIMULATED_LOGIN_RESPONSE', ...outcome.login }].map((message) =>
    toAsciiJson(message),
  )
}
