import type { Faults } from '../faults.ts'
import type { Graph } from '../graph/context.ts'
import type { Json } from '../json.ts'
import type { Payments } from '../payments/context.ts'
import type { RequestLog } from '../request-log.ts'
import type { Signal } from '../signal.ts'
import type { Reader } from './reader.ts'

export interface ControlParts {
  graph: Graph
  payments: Payments
  faults: Faults
  log: RequestLog
  signal: Signal
}

export interface ControlRequest {
  /** The parts of the path that the route leaves open, in order. */
  ids: string[]
  body: Reader
  query: URLSearchParams
}

export interface ControlRoute {
  method: string
  /** Segments in the form `:name` match anything. */
  path: string
  run(parts: ControlParts, request: ControlRequest): Json | Promise<Json>
}
