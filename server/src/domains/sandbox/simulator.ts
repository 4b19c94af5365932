import { AppError, invalidRequest } from '../../kernel/errors.ts'

/** The control API of the simulator: what a request refuses is an error with a status. */
export type SimulatorControl = <T>(method: string, path: string, body?: ControlBody) => Promise<T>

export type ControlBody = { [name: string]: ControlValue }
type ControlValue = string | number | boolean | null | undefined | ControlValue[] | ControlBody

/** The error of the API for a refusal of the simulator; any other error is a defect. */
export function toControlError(err: unknown): unknown {
  if (!(err instanceof Error) || !('status' in err)) return err
  const parameters = { problem: err.message }
  return err.status === 404
    ? new AppError('NOT_FOUND', 'simulator_not_found', { parameters })
    : invalidRequest('simulator_refused', { parameters })
}
