import { HubApiError, HubConnectionError, HubResponseError } from '@hubline/sdk'

/** The exit codes by which a script knows how a command ended. The table in docs/guides/cli.md explains each. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  credential: 3,
  notFound: 4,
  unavailable: 5,
  unknownResult: 6,
  rateLimited: 7,
} as const

/** A failure whose message is all that a person needs. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.refused) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
  }
}

export function usageError(message: string): CliError {
  return new CliError(message, EXIT.usage)
}

export function toExitCode(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof HubConnectionError || error instanceof HubResponseError) return EXIT.unavailable
  if (!(error instanceof HubApiError)) return EXIT.refused
  if (error.code === 'SEND_RESULT_UNKNOWN' || error.code === 'OPERATION_IN_PROGRESS') return EXIT.unknownResult
  if (error.status === 401 || error.code === 'INSUFFICIENT_SCOPE') return EXIT.credential
  if (error.status === 404) return EXIT.notFound
  if (error.status === 429) return EXIT.rateLimited
  return error.status >= 500 ? EXIT.unavailable : EXIT.refused
}
