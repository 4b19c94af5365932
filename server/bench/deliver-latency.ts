import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../src/app/context.ts'
import { newId } from '../src/kernel/ids.ts'
import type { Receiver } from './deliver-receiving.ts'
import { type Endpoint, eventFor, inTurn } from './deliver-seed.ts'

const TICK_MS = 5

type Load = { endpoints: Endpoint[]; perSecond: number; seconds: number }

/** Publishes events at an even pace, one transaction each, and tells when each was accepted, by its mark. */
export async function publishEvenly({ sql, publish }: Context, load: Load): Promise<Map<string, number>> {
  const acceptedAt = new Map<string, number>()
  const total = load.perSecond * load.seconds
  const startedAt = now()
  const publishing: Promise<void>[] = []
  async function publishOne(endpoint: Endpoint): Promise<void> {
    const mark = newId()
    await sql.begin((tx) => publish(tx, [eventFor(endpoint, mark)]))
    acceptedAt.set(mark, now())
  }
  while (publishing.length < total) {
    const due = Math.min(total, ((now() - startedAt) / 1000) * load.perSecond)
    while (publishing.length < due) {
      publishing.push(publishOne(inTurn(load.endpoints, publishing.length)))
    }
    await delay(TICK_MS)
  }
  await Promise.all(publishing)
  return acceptedAt
}

/** Milliseconds from each acceptance to the moment at which the receiver had read the request. */
export async function waitsUntilHit(acceptedAt: Map<string, number>, receiver: Receiver): Promise<number[]> {
  const waits: number[] = []
  const deadline = now() + 30_000
  while (waits.length < acceptedAt.size && now() < deadline) {
    for (const [mark, at] of (await receiver.received()).hits) {
      const accepted = acceptedAt.get(mark)
      if (accepted !== undefined) waits.push(Math.max(0, at - accepted))
    }
    await delay(50)
  }
  if (waits.length < acceptedAt.size) throw new Error(`${acceptedAt.size - waits.length} events were not delivered`)
  return waits
}

/** The same clock as in the receiver's process. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
