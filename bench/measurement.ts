import type { Pool } from '../server/src/kernel/db/pool.ts'
import { createCpuMeter } from './cpu.ts'
import type { LoadProcess, Plan } from './load-process.ts'
import type { Round } from './rounds.ts'

/** Gathers the statistics of the tables, which autovacuum would do only a minute later. */
export async function gatherStatistics(sql: Pool): Promise<void> {
  await sql`vacuum analyze`
}

/** Posts a plan and measures the cost per unit of work. One post may be many units. */
export async function createMeasurement(sql: Pool, posting: LoadProcess) {
  const readCpu = await createCpuMeter(sql)
  return async (plan: Plan, units: number): Promise<Round> => {
    let cpuBefore = 0
    const { seconds } = await posting.post(plan, async () => {
      cpuBefore = await readCpu()
    })
    return { perSecond: units / seconds, cpuMicros: ((await readCpu()) - cpuBefore) / units }
  }
}
