import type { Simulation } from '../simulation.ts'
import type { Reader } from './reader.ts'

/** The names of the `:name` segments of a path. */
type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export interface ControlRequest<Path extends string = string> {
  params: Record<Names<Path>, string>
  body: Reader
  query: URLSearchParams
}

export interface ControlRoute {
  method: string
  path: string
  run(simulation: Simulation, request: ControlRequest): unknown
}

export function route<Path extends string>(
  method: string,
  path: Path,
  run: (simulation: Simulation, request: ControlRequest<Path>) => unknown,
): ControlRoute {
  return { method, path, run: run as ControlRoute['run'] }
}
