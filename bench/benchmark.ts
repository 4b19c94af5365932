import type { KeyRing } from '../server/src/kernel/crypto/key-ring.ts'
import type { Pool } from '../server/src/kernel/db/pool.ts'

/** The expected ratio of a figure, or value of a reading. */
export type Goal = { atLeast: number } | { atMost: number }

/** A figure and its baseline, both from this run on this machine. */
export type Figure = { what: string; measured: number; baseline: number; goal?: Goal }

/** A figure without a baseline. */
export type Reading = { what: string; value: number; unit: string; goal?: Goal }

/** A note for the reader of the figures. */
export type Remark = { remark: string }

export type Result = Figure | Reading | Remark

/** Every benchmark gets the database of this run, and a pool on it. */
export type BenchmarkSetup = {
  sql: Pool
  databaseUrl: string
  keyRing: () => KeyRing
  /** Fewer and shorter rounds, for a first look. */
  isQuick: boolean
  /** Says what is being measured. */
  progress: (text: string) => void
}

export type Benchmark = {
  name: string
  /** A description of the comparison. */
  summary: string
  run: (stand: BenchmarkSetup) => Promise<Result[]>
}
