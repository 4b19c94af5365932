import { AppError, toIssue } from '../../kernel/errors.ts'
import { toApiErrorDetails } from '../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../upstream/http/errors.ts'
import type { DebuggedToken } from '../../upstream/resources/oauth.ts'
import type { PhoneNumber } from '../../upstream/resources/phone-numbers.ts'

/** The steps of connecting a number, as `details.step` names them. Each has a reason for its failure. */
export type Step = 'exchange_code' | 'check_token' | 'find_number' | 'subscribe' | 'synchronize' | 'register'

const MANAGEMENT_SCOPE = 'whatsapp_business_management'
const MESSAGING_SCOPE = 'whatsapp_business_messaging'

/** The message quotes the upstream's own, if it sent one. */
export function stepFailed(step: Step, failure: UpstreamFailure): AppError {
  const details = { step, ...toApiErrorDetails(failure) }
  const quoted = failure.details ?? failure.title
  if (step === 'check_token' && failure.kind === 'refused') {
    return new AppError('UPSTREAM_REJECTED', 'hub_app_refused', { details })
  }
  const note = quoted ? `The upstream said: ${quoted}` : undefined
  const reason = `${step}_failed` as const
  if (failure.kind === 'refused') return new AppError('UPSTREAM_REJECTED', reason, { details, note })
  if (failure.kind === 'throttled')
    return new AppError('RATE_LIMITED', reason, { details, note, retryAfterSeconds: 60 })
  return new AppError('UPSTREAM_UNAVAILABLE', 'step_unavailable', {
    parameters: { step },
    details,
    cause: failure.cause,
  })
}

/** The token must be valid, issued to the hub's app, and granted for this account. */
export function requireGrantedToken(token: DebuggedToken, expected: { appId: string; wabaId: string }): void {
  const isOurs = token.is_valid && token.app_id === expected.appId
  const isGranted = [MANAGEMENT_SCOPE, MESSAGING_SCOPE].every((scope) => isGrantedFor(token, scope, expected.wabaId))
  if (isOurs && isGranted) return
  throw new AppError('UPSTREAM_REJECTED', 'check_token_failed', { details: { step: 'check_token' } })
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
  if (first) throw new AppError('INVALID_REQUEST', 'several_numbers', { details })
  const reason = numbers.length === 0 ? 'account_without_number' : 'number_not_of_account'
  throw new AppError('INVALID_REQUEST', reason, { details })
}

function toChoice({ id, display_phone_number, verified_name }: PhoneNumber) {
  return { phone_number_id: id, display_phone_number, verified_name }
}

/** The PIN to register a number with; null for a number that is registered, or that stays in the app. */
export function choosePin(number: PhoneNumber, pin: string | undefined): string | null {
  if (number.is_on_biz_app === true || number.status === 'CONNECTED') return null
  if (pin !== undefined) return pin
  throw new AppError('INVALID_REQUEST', 'pin_required', {
    details: { step: 'register', pin_required: true, issues: [toIssue('/pin', 'required')] },
  })
}
