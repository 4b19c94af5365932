import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Webhooks } from './callbacks/webhooks.ts'
import type { Limits } from './limits.ts'
import type { FileStore } from './media/file-store.ts'
import type { App, Timings } from './options.ts'
import type { State } from './state.ts'

/** The dependencies of every endpoint. */
export interface Graph {
  readonly app: App
  readonly timings: Timings
  readonly clock: Clock
  readonly random: Random
  readonly state: State
  readonly limits: Limits
  readonly files: FileStore
  readonly webhooks: Webhooks
  /** The simulator's own base URL, without a trailing slash. */
  url(): string
}
