import type { Pool } from '../src/kernel/db/pool.ts'
import { cpuMeter } from './cpu.ts'
import type { Plan, Posting } from './posting.ts'
import type { Round } from './rounds.ts'

/** What a database knows of its tables once it has served for a while, which a new one learns a minute too late. */
export async function gatherStatistics(sql: Pool): Promise<void> {
  await sql`vacuum analyze`
}

/** Posts a plan and tells what a unit of work came to, where one post may be many units. */
export async function createMeasuring(sql: Pool, posting: Posting) {
  const readCpu = await cpuMeter(sql)
  return async (plan: Plan, units: number): Promise<Round> => {
    let cpuBefore = 0
    const { seconds } = await posting.post(plan, async () => {
      cpuBefore = await readCpu()
    })
    return { perSecond: units / seconds, cpuMicros: ((await readCpu()) - cpuBefore) / units }
  }
}
