import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import type { Result } from '../../../payments/errors.ts'

/**
 * The answer to a call to the provider. What the provider refuses is the caller's
 * matter, under the code that fits; everything else is a failure behind the hub,
 * and worth another try.
 */
export function answerOf<T>(result: Result<T>, refusal?: { code: ErrorCode; message: string }): T {
  if (result.ok) return result.value
  const { kind, cause } = result.failure
  if (refusal && (kind === 'refused' || kind === 'gone')) {
    throw new AppError(refusal.code, refusal.message, { cause })
  }
  const message =
    'The payment provider could not be asked. Try again, with the same Idempotency-Key where you sent one.'
  throw new AppError('UPSTREAM_UNAVAILABLE', message, { cause })
}
