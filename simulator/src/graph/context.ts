import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { FileStore } from './file-store.ts'
import type { Limits } from './limits.ts'
import type { State } from './state.ts'
import type { Webhooks } from './webhooks.ts'

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

/** What every endpoint works with. */
export interface Graph {
  readonly app: App
  readonly timings: Timings
  readonly clock: Clock
  readonly random: Random
  readonly state: State
  readonly limits: Limits
  readonly files: FileStore
  readonly webhooks: Webhooks
  /** Where the simulator is reached, without a trailing slash. */
  url(): string
}
