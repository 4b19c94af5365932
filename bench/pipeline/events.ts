import { setTimeout as delay } from 'node:timers/promises'
import type { BenchChannel } from '../bench-hub.ts'
import type { Receiver } from '../deliver/receiver.ts'
import type { LoadProcess } from '../load-process.ts'
import { buildMarked } from './channels.ts'

const CALLERS = 64
const ARRIVAL_LIMIT_MS = 60_000

type Load = { url: string; channels: BenchChannel[]; count: number; perSecond?: number }

/** The milliseconds of each event: until the callback was acknowledged, and from then until the receiver had it. */
export type Passed = { seconds: number; acknowledgedMs: number[]; receivedMs: number[] }

/** Posts callbacks and waits until each of their events has arrived. Fails if one does not. */
export async function passEvents(
  { load, receiver }: { load: LoadProcess; receiver: Receiver },
  { url, channels, count, perSecond }: Load,
  begin: () => Promise<void>,
): Promise<Passed> {
  const marked = buildMarked(channels, count)
  const posts = marked.map(({ post }) => post)
  await receiver.received()
  let startedAt = 0
  const plan = { url, posts, concurrency: CALLERS, status: 200, ...(perSecond && { perSecond }) }
  const { answers } = await load.post(plan, async () => {
    await begin()
    startedAt = now()
  })
  const arrivedAt = await receiveMarks(
    receiver,
    marked.map(({ mark }) => mark),
  )
  return {
    seconds: (Math.max(...arrivedAt.values()) - startedAt) / 1000,
    acknowledgedMs: answers.map(({ tookMs }) => tookMs),
    receivedMs: marked.map(({ mark }, i) =>
      Math.max(0, (arrivedAt.get(mark) ?? Number.NaN) - (answers[i]?.at ?? Number.NaN)),
    ),
  }
}

/** When each marked event arrived. */
export async function receiveMarks(receiver: Receiver, marks: string[]): Promise<Map<string, number>> {
  const arrivedAt = new Map<string, number>()
  const deadline = now() + ARRIVAL_LIMIT_MS
  while (arrivedAt.size < marks.length) {
    for (const [mark, at] of (await receiver.received()).hits) if (!arrivedAt.has(mark)) arrivedAt.set(mark, at)
    if (now() > deadline) throw new Error(`${marks.length - arrivedAt.size} events did not arrive`)
    await delay(20)
  }
  return arrivedAt
}

/** The same clock as in the other processes of the benchmark. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
