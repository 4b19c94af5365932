import Stripe from 'stripe'

/**
 * A call to the payment provider that failed, with the reason.
 *
 * `refused`: the provider rejected the request. The same request is rejected again.
 * `customer_missing`: the account of the hub's secret key does not have the customer, or no longer has it.
 * `unavailable`: no response, or one that says "try later". A write may have taken effect: every write carries an
 * idempotency key, under which it can be repeated.
 * `misconfigured`: the provider rejected the hub's credential. Only the operator can fix it.
 */
type PaymentFailureKind = 'refused' | 'customer_missing' | 'unavailable' | 'misconfigured'

type PaymentFailure = {
  kind: PaymentFailureKind
  /** The provider's error code, for the log only: it may contain the provider's ids. */
  code: string | null
  cause: unknown
}

export type PaymentResult<T> = { ok: true; value: T } | { ok: false; failure: PaymentFailure }

/** Turns an error of the provider into a value. Any other error is a defect of the hub and is thrown. */
export async function captureFailure<T>(call: () => Promise<T>): Promise<PaymentResult<T>> {
  try {
    return { ok: true, value: await call() }
  } catch (err) {
    if (!(err instanceof Stripe.errors.StripeError)) throw err
    return { ok: false, failure: { kind: classifyError(err), code: err.code ?? null, cause: err } }
  }
}

function classifyError(err: InstanceType<typeof Stripe.errors.StripeError>): PaymentFailureKind {
  const { statusCode } = err
  if (statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500) return 'unavailable'
  if (statusCode === 401 || statusCode === 403) return 'misconfigured'
  return isMissing(err, 'customer') ? 'customer_missing' : 'refused'
}

/** Returns true if an error says that the object named by a parameter does not exist; `id` is the one in the path. */
export function isMissing(err: unknown, param: 'customer' | 'session' | 'id'): boolean {
  return err instanceof Stripe.errors.StripeError && err.code === 'resource_missing' && err.param === param
}
