import type { Cpu } from '../cpu.ts'

/** Deliveries per second, and CPU microseconds per delivery of this process and of the database. */
export type Measured = { perSecond: number; cpu: Cpu }

/** A round that takes longer than this hangs. */
const LIMIT_MS = 60_000

export async function measure(
  count: number,
  readCpu: () => Promise<Cpu>,
  work: () => Promise<void>,
): Promise<Measured> {
  const before = await readCpu()
  const startedAt = performance.now()
  await withinLimit(work())
  const seconds = (performance.now() - startedAt) / 1000
  const after = await readCpu()
  const cpu = { own: (after.own - before.own) / count, database: (after.database - before.database) / count }
  return { perSecond: count / seconds, cpu }
}

async function withinLimit(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`A round did not end within ${LIMIT_MS} ms`)), LIMIT_MS)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
