import { AppError } from '../../../kernel/errors.ts'
import type { PaymentResult } from '../../../payments/errors.ts'

/**
 * The value of a successful call to the provider. A refusal becomes that of `refuse`, for the caller to correct; every other
 * failure is 502, and the caller may retry.
 */
export function unwrapPayment<T>(result: PaymentResult<T>, refuse?: (cause: unknown) => AppError): T {
  if (result.ok) return result.value
  const { kind, cause } = result.failure
  if (refuse && kind === 'refused') throw refuse(cause)
  const reason = kind === 'customer_missing' ? 'payment_customer_unknown' : 'payment_provider_unavailable'
  throw new AppError('UPSTREAM_UNAVAILABLE', reason, { cause })
}
