import Stripe from 'stripe'

/**
 * What a call to the payment provider can come to when it does not come to its answer.
 *
 * `refused`: the provider read the request and said no. The same again brings
 * the same no.
 *
 * `gone`: it names something that the provider does not have, or not any more.
 *
 * `unavailable`: no answer, or one that says "not now". A write may have been
 * done: every write carries a key, under which it can be asked for again.
 *
 * `misconfigured`: our credential was refused. The caller can do nothing about it.
 */
export type FailureKind = 'refused' | 'gone' | 'unavailable' | 'misconfigured'

export type PaymentFailure = {
  kind: FailureKind
  /** The provider's own words, for the log: they may name its ids. */
  code: string | null
  cause: unknown
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: PaymentFailure }

export async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (err) {
    // Anything that is not the provider's answer is a mistake of ours, and nothing to carry on with.
    if (!(err instanceof Stripe.errors.StripeError)) throw err
    return { ok: false, failure: { kind: kindOf(err), code: err.code ?? null, cause: err } }
  }
}

function kindOf(err: InstanceType<typeof Stripe.errors.StripeError>): FailureKind {
  const { statusCode, code } = err
  if (statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500) return 'unavailable'
  if (statusCode === 401 || statusCode === 403) return 'misconfigured'
  return code === 'resource_missing' ? 'gone' : 'refused'
}
