import type { ChangeNotifier } from '../change-notifier.ts'
import type { Faults } from '../faults.ts'
import type { Graph } from '../graph/context.ts'
import type { Json } from '../json.ts'
import type { Payments } from '../payments/context.ts'
import type { RequestLog } from '../request-log.ts'
import type { Reader } from './reader.ts'

export interface ControlParts {
  graph: Graph
  payments: Payments
  faults: Faults
  log: RequestLog
  notifier: ChangeNotifier
}

export interface ControlRequest {
  /** The values of the path's `:name` segments, in order. */
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

export function route(method: string, path: string, run: ControlRoute['run']): ControlRoute {
  return { method, path, run }
}
