import type { KeyRing } from '../src/kernel/crypto/key-ring.ts'
import type { Pool } from '../src/kernel/db/pool.ts'

/** A figure and what it is held against, both from this run on this machine. */
export type Figure = { what: string; measured: number; baseline: number }

/** A figure that is held against nothing. */
export type Reading = { what: string; value: number; unit: string }

/** What a reader of the figures must know. */
export type Remark = { remark: string }

export type Result = Figure | Reading | Remark

/** What every benchmark finds: a database of this run, and a pool on it. */
export type Stand = { sql: Pool; databaseUrl: string; keyRing: () => KeyRing }

export type Benchmark = {
  name: string
  goal: string
  run: (stand: Stand) => Promise<Result[]>
}
