import type { Hub } from '../server/src/app/hub.ts'
import { startBareInbound } from './bare-inbound.ts'
import { type BenchChannel, connectChannels, openHub } from './bench-hub.ts'
import type { Benchmark, BenchmarkSetup, Figure } from './benchmark.ts'
import { buildCallbacks } from './callbacks.ts'
import { startLoadProcess } from './load-process.ts'
import { createMeasurement, gatherStatistics } from './measurement.ts'
import { alternateRounds } from './rounds.ts'

const CHANNELS = 50
const CONCURRENCY = 64

/** The number of callbacks per round, by the number of messages in each. */
const SHAPES = [
  { messages: 1, callbacks: 1500, goal: 1 },
  { messages: 50, callbacks: 100, goal: 0.8 },
]

/**
 * The cost of a callback beyond its rows: `POST /hooks/upstream`, which slices the
 * body, routes the changes, recognizes repeats and looks for endpoints (there are
 * none), against a bare route that verifies, parses and writes the same rows in one
 * statement per callback.
 *
 * Both servers run in this process, on the same pool and tables, in alternating
 * rounds. The load process has all callbacks before the measurement starts, and
 * posts 64 at a time. All messages and their ids are new.
 */
export const inbound: Benchmark = {
  name: 'inbound',
  summary: 'a callback of the upstream, with a bare route that writes the same rows in one statement',
  async run(stand) {
    const hub = await openHub(stand)
    const channels = await connectChannels(hub, numbers())
    const bare = await startBareInbound(stand.sql, channels)
    const figures: Figure[] = []
    for (const shape of SHAPES) figures.push(...(await compare(stand, { hub, bare, channels, shape })))
    await bare.close()
    await hub.stop()
    return figures
  },
}

type Shape = (typeof SHAPES)[number]

type Comparison = { hub: Hub; bare: { url: string }; channels: BenchChannel[]; shape: Shape }

async function compare(stand: BenchmarkSetup, { hub, bare, channels, shape }: Comparison): Promise<Figure[]> {
  await using posting = await startLoadProcess()
  const measure = await createMeasurement(hub.context.sql, posting)
  function round(url: string) {
    const posts = buildCallbacks(channels, shape.callbacks, shape.messages)
    return measure({ url, posts, concurrency: CONCURRENCY, status: 200 }, shape.callbacks * shape.messages)
  }
  const settle = () => gatherStatistics(hub.context.sql)
  const sides = { bare: () => round(bare.url), hub: () => round(hub.url), settle }
  const { bare: base, hub: ours } = await alternateRounds(sides, stand)
  const what = `with ${shape.messages} a callback, of a bare route that writes the same rows`
  return [
    {
      what: `updates/s ${what}`,
      measured: ours.perSecond,
      baseline: base.perSecond,
      goal: { atLeast: shape.goal },
    },
    { what: `CPU microseconds an update ${what}`, measured: ours.cpuMicros, baseline: base.cpuMicros },
  ]
}

function numbers() {
  return Array.from({ length: CHANNELS }, (_, i) => ({
    wabaId: String(200_000_000_000_000 + i),
    phoneNumberId: String(300_000_000_000_000 + i),
    accessToken: `EAAbench${i}`,
    display: `+55 11 98000-${String(i).padStart(4, '0')}`,
  }))
}
