import type { ChangeNotifier } from './change-notifier.ts'
import type { Faults } from './faults.ts'
import type { Graph } from './graph/context.ts'
import type { Payments } from './payments/context.ts'
import type { RunOnce } from './payments/http/idempotency.ts'
import type { RequestLog } from './request-log.ts'

/** The state of a simulator and what acts on it. A renewed simulator has a new one. */
export interface Simulation {
  readonly graph: Graph
  readonly payments: Payments
  readonly runOnce: RunOnce
  readonly faults: Faults
  readonly log: RequestLog
  readonly notifier: ChangeNotifier
  readonly allowedOrigins: readonly string[]
}

/** The simulation of the request that is being served. */
export type Current = () => Simulation
