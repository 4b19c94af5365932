import type { KeyRing } from '../src/kernel/crypto/key-ring.ts'
import type { Pool } from '../src/kernel/db/pool.ts'

/** A figure and its baseline, both from this run on this machine. */
export type Figure = { what: string; measured: number; baseline: number }

/** A figure without a baseline. */
export type Reading = { what: string; value: number; unit: string }

/** A note for the reader of the figures. */
export type Remark = { remark: string }

export type Result = Figure | Reading | Remark

/** What every benchmark gets: the database of this run, and a pool on it. */
export type BenchmarkSetup = { sql: Pool; databaseUrl: string; keyRing: () => KeyRing }

export type Benchmark = {
  name: string
  goal: string
  run: (stand: BenchmarkSetup) => Promise<Result[]>
}
