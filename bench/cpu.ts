import { readdir, readFile } from 'node:fs/promises'
import type { Pool } from '../server/src/kernel/db/pool.ts'

const NANOS_PER_MICRO = 1000

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
  const readDatabase = await createDatabaseCpuMeter(sql)
  return async () => {
    const { user, system } = process.cpuUsage()
    return { own: user + system, database: await readDatabase() }
  }
}

/**
 * The CPU time of all processes of the database. A connection that is closed between two readings is missing in the
 * second one; the hub keeps its connections.
 */
export async function createDatabaseCpuMeter(sql: Pool): Promise<() => Promise<number>> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const postmaster = await readParent(row?.pid ?? 0)
  return async () => {
    if (postmaster === undefined) return 0
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
    const parents = await Promise.all(pids.map(readParent))
    const own = pids.filter((pid, i) => pid === postmaster || parents[i] === postmaster)
    return (await Promise.all(own.map(readCpuMicros))).reduce((sum, micros) => sum + micros, 0)
  }
}

/** The CPU time of all threads of a process so far. The scheduler counts nanoseconds; `/proc/PID/stat` has hundredths. */
export async function readCpuMicros(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const nanos = await Promise.all(threads.map((thread) => readScheduled(`/proc/${pid}/task/${thread}/schedstat`)))
  return nanos.reduce((sum, one) => sum + one, 0) / NANOS_PER_MICRO
}

/** A process or a thread that has ended has no file. */
async function readScheduled(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '0')
  return Number(text.split(' ')[0])
}

async function readParent(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field is a name in brackets, which may contain spaces. The parent follows the state.
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}
