import type { Benchmark } from '../benchmark.ts'
import { openCountingDatabase } from '../counting-database.ts'
import { createDatabaseCpuMeter } from '../cpu.ts'
import { startReceiver } from '../deliver/receiver.ts'
import { startLoadProcess } from '../load-process.ts'
import { startUpstream } from '../simulated-upstream.ts'
import type { CompareOptions } from './options.ts'
import { measurePath, NUMBERS, prepareVersion, type Stage } from './round.ts'
import { formatComparison, type Samples, toJson } from './summary.ts'
import { checkOut, ROOT } from './version.ts'

/** A checkpoint would cost the round in which it falls, and the next ones whole pages in the WAL. */
const SETTINGS = { checkpoint_timeout: '1h', max_wal_size: '16GB' }

/**
 * The working tree against another commit, measured from outside: each hub is a process as `npm start` runs it, and load,
 * upstream, receiver and database server are the same for both. The rounds of both alternate.
 */
export function createCompare({ ref, rounds, paths, isJson }: CompareOptions): Benchmark {
  return {
    name: 'compare',
    summary: `what an operation takes, with ${ref}; ${rounds} rounds of each in turn`,
    async run({ keyRing, progress }) {
      progress(`checking out ${ref}`)
      await using checkedOut = await checkOut(ref)
      await using database = await openCountingDatabase({ durable: true, settings: SETTINGS })
      await using receiver = await startReceiver()
      await using upstream = await startUpstream(NUMBERS)
      await using load = await startLoadProcess()
      const readDatabaseCpu = await createDatabaseCpuMeter(database.sql)
      const stage: Stage = { keyRing, database, readDatabaseCpu, load, receiver, upstream }
      progress('filling databases')
      const baseline = await prepareVersion(stage, 'baseline', checkedOut.root)
      const measured = await prepareVersion(stage, 'measured', ROOT)

      const figures = new Map<string, Samples>()
      for (let round = 1; round <= rounds; round++) {
        for (const path of paths) {
          // The version that goes first finds colder caches, so both go first in turn.
          const sides = Object.entries({ baseline, measured })
          for (const [side, version] of round % 2 === 0 ? sides.toReversed() : sides) {
            progress(`round ${round} of ${rounds}, ${path}, ${version.name}`)
            for (const [what, sample] of Object.entries(await measurePath(stage, version, path))) {
              const samples = figures.get(what) ?? { what, measured: [], baseline: [] }
              samples[side as 'measured' | 'baseline'].push(sample)
              figures.set(what, samples)
            }
          }
        }
      }
      const all = [...figures.values()]
      const lines = [...formatComparison(all, ref), ...(isJson ? [toJson(all, { ref, rounds })] : [])]
      return lines.map((remark) => ({ remark }))
    },
  }
}
