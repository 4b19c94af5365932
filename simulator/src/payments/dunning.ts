const DAY_SECONDS = 86_400

/** How failed renewals are followed up; in the provider's dashboard these are settings of the account. */
export interface BillingSettings {
  /** Days from each failed attempt to the next; when they are used up, `afterRetries` happens. */
  retryAfterDays: number[]
  afterRetries: 'cancel' | 'unpaid' | 'past_due'
}

export const DEFAULT_SETTINGS: BillingSettings = { retryAfterDays: [3, 5, 7], afterRetries: 'cancel' }

/** A renewal can be corrected for an hour before it is final. */
export const FINALIZE_AFTER_SECONDS = 3_600

/** A first payment, and a payment for a pending update, may be made up for this long. */
export const PAYMENT_WINDOW_SECONDS = 23 * 3_600

/** When the failed attempt of that number is followed by another, or undefined when it was the last. */
export function nextAttemptAt({ retryAfterDays }: BillingSettings, attempts: number, failedAt: number) {
  const days = retryAfterDays[attempts - 1]
  return days === undefined ? undefined : failedAt + days * DAY_SECONDS
}
