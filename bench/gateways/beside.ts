import { readdir, readFile, readlink } from 'node:fs/promises'
import { readCpuMicros } from '../cpu.ts'
import { readMemory } from '../pipeline/hub-process.ts'

const LISTENING = '0A'

/** The processes that a gateway needs beside PostgreSQL, such as Redis and a queue. */
export type Beside = {
  /** CPU microseconds so far. */
  readCpu: () => Promise<number>
  /** The proportional share of memory, in MB. */
  readMemory: () => Promise<number>
}

/** The processes that listen on these ports of this machine. */
export async function findBeside(ports: readonly number[]): Promise<Beside> {
  const pids = new Set<number>()
  for (const port of ports) {
    const pid = await findListener(port)
    if (pid === undefined) throw new Error(`Nothing on this machine listens on the port ${port}`)
    pids.add(pid)
  }
  const add = async (read: (pid: number) => Promise<number>) => {
    const values = await Promise.all([...pids].map(read))
    return values.reduce((sum, value) => sum + value, 0)
  }
  return { readCpu: () => add(readCpuMicros), readMemory: () => add(readMemory) }
}

async function findListener(port: number): Promise<number | undefined> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  const sockets = new Set<string>()
  for (const line of tables.join('').split('\n')) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state === LISTENING && Number.parseInt(local.split(':').at(-1) ?? '', 16) === port)
      sockets.add(`socket:[${inode}]`)
  }
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => [])
    const links = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')))
    if (links.some((link) => sockets.has(link))) return Number(pid)
  }
  return undefined
}
