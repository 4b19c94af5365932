import { UnsupportedDatabase } from '../kernel/db/migrate.ts'
import { isDatabaseUnavailable } from '../kernel/db/pool.ts'
import { ConfigError } from '../kernel/env.ts'
import { AppError } from '../kernel/errors.ts'
import { redactSecrets } from '../kernel/logger.ts'
import { CannotRun } from './cannot-run.ts'
import { CannotStart } from './installation.ts'

/** One sentence for what an operator can fix, and a stack for any other error. */
export function explainError(err: unknown): string {
  if (err instanceof ConfigError || err instanceof AppError || err instanceof CannotRun) return err.message
  if (err instanceof CannotStart || err instanceof UnsupportedDatabase) return `Cannot start: ${sentence(err.message)}`
  return redactSecrets(err instanceof Error ? (err.stack ?? err.message) : String(err))
}

/** As above, for a start: a database that is lost meanwhile is for the operator too, and no fault of the hub. */
export function explainFailedStart(err: unknown): string {
  if (!isDatabaseUnavailable(err)) return explainError(err)
  const reason = err instanceof Error ? err.message : String(err)
  return `Cannot start: The database failed during the start (${reason}). Start the hub again when it is there.`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
