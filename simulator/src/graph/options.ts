export interface App {
  id: string
  secret: string
  name: string
  /** The business that owns the app: the entry id of partner events. */
  businessId: string
  verifyToken: string
}

/** How long the platform takes; milliseconds on the simulator's clock. */
export interface Timings {
  sentMs: number
  deliveredMs: number
  readMs: number
  failedMs: number
  /** null leaves every review to the control API. */
  templateReviewMs: number | null
  /** How long updates wait for company when webhooks are batched or shuffled. */
  webhookBatchMs: number
  /** Real time, not simulated: how long a receiver may take to answer. */
  webhookTimeoutMs: number
}

export const DEFAULT_TIMINGS: Timings = {
  sentMs: 200,
  deliveredMs: 700,
  readMs: 2_500,
  failedMs: 500,
  templateReviewMs: 3_000,
  webhookBatchMs: 100,
  webhookTimeoutMs: 10_000,
}
