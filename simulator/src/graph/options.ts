export interface App {
  id: string
  secret: string
  name: string
  /** The business that owns the app, and the entry id of partner events. */
  businessId: string
  verifyToken: string
}

/** The platform's delays, in milliseconds on the simulator's clock. */
export interface Timings {
  sentMs: number
  deliveredMs: number
  readMs: number
  failedMs: number
  /** null: only the control API ends a review. */
  templateReviewMs: number | null
  /** Updates are collected for this long before they are sent in batches or shuffled. */
  webhookBatchMs: number
  /** The timeout of a webhook request, in real time. */
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
