import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import type { PaymentResult } from '../../../payments/errors.ts'

const UNKNOWN_CUSTOMER =
  'The payment provider does not know your organization. Nothing was changed. Contact the operator of this installation.'
const NO_RESPONSE = 'The payment provider did not respond. Retry, with the same Idempotency-Key if you sent one.'

/**
 * The value of a successful call to the provider. A refusal becomes `refusal`, for the caller to correct; every other
 * failure is 502, and the caller may retry.
 */
export function unwrapPayment<T>(result: PaymentResult<T>, refusal?: { code: ErrorCode; message: string }): T {
  if (result.ok) return result.value
  const { kind, cause } = result.failure
  if (refusal && kind === 'refused') throw new AppError(refusal.code, refusal.message, { cause })
  throw new AppError('UPSTREAM_UNAVAILABLE', kind === 'customer_missing' ? UNKNOWN_CUSTOMER : NO_RESPONSE, { cause })
}
