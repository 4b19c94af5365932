import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../server/src/app/context.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Receiver } from './receiver.ts'
import { buildEvent, type Endpoint, pickEndpoint } from './seed.ts'

const TICK_MS = 5

type Load = { endpoints: Endpoint[]; perSecond: number; seconds: number }

/** Publishes events at an even rate, one transaction each. Returns the time of each commit by the event's marker. */
export async function publishEvenly({ sql, publish }: Context, load: Load): Promise<Map<string, number>> {
  const acceptedAt = new Map<string, number>()
  const total = load.perSecond * load.seconds
  const startedAt = now()
  const publishing: Promise<void>[] = []
  async function publishOne(endpoint: Endpoint): Promise<void> {
    const mark = newId()
    await sql.begin((tx) => publish(tx, [buildEvent(endpoint, mark)]))
    acceptedAt.set(mark, now())
  }
  while (publishing.length < total) {
    const due = Math.min(total, ((now() - startedAt) / 1000) * load.perSecond)
    while (publishing.length < due) {
      publishing.push(publishOne(pickEndpoint(load.endpoints, publishing.length)))
    }
    await delay(TICK_MS)
  }
  await Promise.all(publishing)
  return acceptedAt
}

/** Milliseconds from each commit to the time at which the receiver had read the request. */
export async function readLatencies(acceptedAt: Map<string, number>, receiver: Receiver): Promise<number[]> {
  const latencies: number[] = []
  const deadline = now() + 30_000
  while (latencies.length < acceptedAt.size && now() < deadline) {
    for (const [mark, at] of (await receiver.received()).hits) {
      const accepted = acceptedAt.get(mark)
      if (accepted !== undefined) latencies.push(Math.max(0, at - accepted))
    }
    await delay(50)
  }
  if (latencies.length < acceptedAt.size)
    throw new Error(`${acceptedAt.size - latencies.length} events were not delivered`)
  return latencies
}

/** The same clock as in the receiver's process. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
