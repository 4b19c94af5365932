import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import type { PaymentResult } from '../../../payments/errors.ts'

/**
 * The value of a successful call to the provider. A refusal becomes `refusal`, for the caller to correct; every other
 * failure is 502, and the caller may retry.
 */
export function unwrapPayment<T>(result: PaymentResult<T>, refusal?: { code: ErrorCode; message: string }): T {
  if (result.ok) return result.value
  const { kind, cause } = result.failure
  if (refusal && (kind === 'refused' || kind === 'missing')) {
    throw new AppError(refusal.code, refusal.message, { cause })
  }
  const message = 'The payment provider did not respond. Retry, with the same Idempotency-Key if you sent one.'
  throw new AppError('UPSTREAM_UNAVAILABLE', message, { cause })
}
