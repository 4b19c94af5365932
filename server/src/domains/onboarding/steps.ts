import { AppError, type ErrorDetails } from '../../kernel/errors.ts'
import { toApiErrorDetails } from '../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../upstream/http/errors.ts'
import type { DebuggedToken } from '../../upstream/resources/oauth.ts'
import type { PhoneNumber } from '../../upstream/resources/phone-numbers.ts'

/** The steps of connecting a number, as `details.step` names them, and the message for a failure of each. */
const STEPS = {
  exchange_code: 'The sign-up code could not be exchanged. It is valid for 30 seconds: go through the sign-up again.',
  check_token:
    'The token gives no access to this account. After a sign-up: go through it again and choose the account.',
  find_number: 'The numbers of the account could not be read.',
  subscribe: "The account's callbacks could not be subscribed to.",
  synchronize: 'The contacts and history of the app could not be requested.',
  register: 'The number could not be registered.',
} as const
export type Step = keyof typeof STEPS

/** A token is checked with the credential of the hub's app. */
const APP_REFUSED =
  'The upstream refuses the app of this hub. Its operator has to check UPSTREAM_APP_ID and UPSTREAM_APP_SECRET.'
const MANAGEMENT_SCOPE = 'whatsapp_business_management'
const MESSAGING_SCOPE = 'whatsapp_business_messaging'

/** The message quotes the upstream's own, if it sent one. */
export function stepFailed(step: Step, failure: UpstreamFailure): AppError {
  const details: ErrorDetails = { step, ...toApiErrorDetails(failure) }
  const quoted = failure.details ?? failure.title
  if (step === 'check_token' && failure.kind === 'refused') {
    return new AppError('UPSTREAM_REJECTED', APP_REFUSED, { details })
  }
  const message = quoted ? `${STEPS[step]} The upstream said: ${quoted}` : STEPS[step]
  const unavailable = `The upstream did not respond at the step ${step}. Nothing was changed here: try again.`
  if (failure.kind === 'refused') return new AppError('UPSTREAM_REJECTED', message, { details })
  if (failure.kind === 'throttled') return new AppError('RATE_LIMITED', message, { details, retryAfterSeconds: 60 })
  return new AppError('UPSTREAM_UNAVAILABLE', unavailable, { details, cause: failure.cause })
}

/** The token must be valid, issued to the hub's app, and granted for this account. */
export function requireGrantedToken(token: DebuggedToken, expected: { appId: string; wabaId: string }): void {
  const isOurs = token.is_valid && token.app_id === expected.appId
  const isGranted = [MANAGEMENT_SCOPE, MESSAGING_SCOPE].every((scope) => isGrantedFor(token, scope, expected.wabaId))
  if (isOurs && isGranted) return
  throw new AppError('UPSTREAM_REJECTED', STEPS.check_token, { details: { step: 'check_token' } })
}

/** A scope without a list of accounts is granted for all of them. */
function isGrantedFor(token: DebuggedToken, scope: string, wabaId: string): boolean {
  const granular = token.granular_scopes.filter((granted) => granted.scope === scope)
  if (granular.length === 0) return token.scopes.includes(scope)
  return granular.some(({ target_ids: ids }) => ids === null || ids.includes(wabaId))
}

/** The number to connect. If there are several and none is named, the error lists the choices. */
export function chooseNumber(numbers: PhoneNumber[], requestedId: string | undefined): PhoneNumber {
  const [first, ...others] = requestedId === undefined ? numbers : numbers.filter(({ id }) => id === requestedId)
  if (first && others.length === 0) return first
  const details = { step: 'find_number', choices: numbers.map(toChoice) }
  if (first) throw new AppError('INVALID_REQUEST', 'The account has several numbers. Choose one.', { details })
  const message = numbers.length === 0 ? 'The account has no number yet.' : 'The account does not have this number.'
  throw new AppError('INVALID_REQUEST', message, { details })
}

function toChoice({ id, display_phone_number, verified_name }: PhoneNumber) {
  return { phone_number_id: id, display_phone_number, verified_name }
}

export function pinRequired(): AppError {
  const message = 'A six-digit PIN is required to register this number: the one it has, or a new one if it has none.'
  return new AppError('INVALID_REQUEST', message, {
    details: { step: 'register', pin_required: true, issues: [{ path: '/pin', message: 'is required' }] },
  })
}
