import { UnsupportedDatabase } from '../kernel/db/migrate.ts'
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

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
