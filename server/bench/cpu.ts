import { readdir, readFile } from 'node:fs/promises'
import type { Pool } from '../src/kernel/db/pool.ts'

/** Linux counts CPU time in hundredths of a second. */
const MICROS_PER_TICK = 10_000

export type Cpu = { own: number; database: number }

/** Reads how much CPU time this process and its database have used so far, in microseconds. */
export async function createCpuMeter(sql: Pool): Promise<() => Promise<number>> {
  const read = await createSplitCpuMeter(sql)
  return async () => {
    const { own, database } = await read()
    return own + database
  }
}

/** The same, separately. */
export async function createSplitCpuMeter(sql: Pool): Promise<() => Promise<Cpu>> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = (await readProcessStat(row?.pid ?? 0))?.parent
  return async () => {
    const { user, system } = process.cpuUsage()
    return { own: user + system, database: postmaster === undefined ? 0 : await databaseMicros(postmaster) }
  }
}

/** The CPU time of another process so far. */
export async function readCpuMicros(pid: number): Promise<number> {
  return ((await readProcessStat(pid))?.own ?? 0) * MICROS_PER_TICK
}

/** The postmaster, its children, and its children that have ended. 0 without /proc. */
async function databaseMicros(postmaster: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const stats = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readProcessStat(Number(name))),
  )
  const ticks = stats.reduce((sum, stat) => {
    if (stat?.pid === postmaster) return sum + stat.own + stat.outlived
    return stat?.parent === postmaster ? sum + stat.own : sum
  }, 0)
  return ticks * MICROS_PER_TICK
}

async function readProcessStat(pid: number) {
  // A process that has ended has no file.
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The second field is a name in brackets, which may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const [utime = 0, stime = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
  return { pid, parent, own: utime + stime, outlived: childrenUser + childrenSystem }
}
