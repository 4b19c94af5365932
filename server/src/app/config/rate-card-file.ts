import { readFileSync } from 'node:fs'
import { parseRateCards, type RateCards } from '../../domains/costs/rates/rate-card.ts'
import { ConfigError } from '../../kernel/env.ts'

/** The rate cards of the operator; undefined without a file. A file that cannot be used stops the start. */
export function loadRateCards(path: string | undefined): RateCards | undefined {
  if (path === undefined) return undefined
  try {
    return parseRateCards(readFileSync(path, 'utf8'))
  } catch (err) {
    throw new ConfigError([`the file of COSTS_FILE, ${path}, ${explain(err)}`])
  }
}

function explain(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  return 'code' in err ? `cannot be read (${err.code})` : err.message
}
