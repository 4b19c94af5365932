import type { Result } from '../benchmark.ts'
import { gatherStatistics } from '../measurement.ts'
import { runBareLoop } from './bare-loop.ts'
import type { Setup } from './delivery-hub.ts'
import { type Measured, measure } from './measure.ts'
import { RECEIVER_DOMAIN } from './receiver.ts'
import { BODY_BYTES, deleteEndpoints, fillQueue, insertEndpoints } from './seed.ts'
import { pickMedianRound } from './statistics.ts'

const WARM_UP = 3000
const DELIVERIES = 10_000
/** The receivers of many organizations share a few hundred host names. */
const NAMES = 200

/** `behavior` is the receiver's: `ok`, which answers in varied ways, or `empty`. */
export type Scenario = {
  endpoints: number
  rounds: number
  behavior: 'ok' | 'empty'
  isTls?: boolean
  /** The goals of a delivery are those of this scenario. */
  hasGoals?: boolean
  /** Further details that distinguish it. */
  note?: string
}

/** The hub drains a full queue, right after a bare loop has made as many requests. */
export async function measureThroughput({ stand, hub, receiver }: Setup, scenario: Scenario): Promise<Result[]> {
  const { behavior, isTls = false } = scenario
  const port = isTls ? receiver.tlsPort : receiver.port
  const origin = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`
  const count = stand.isQuick ? 1 : scenario.rounds
  const endpoints = await insertEndpoints(hub.context, scenario.endpoints, (index) =>
    buildReceiverUrl(index, port, behavior, isTls),
  )
  const bodies = Array.from({ length: DELIVERIES }, () => Buffer.alloc(BODY_BYTES, 'x'))
  await fillQueue(hub.publisher, endpoints, WARM_UP)
  await hub.drain(WARM_UP)
  await runBareLoop(origin, bodies.slice(0, WARM_UP), behavior)
  const rounds: { bare: Measured; ours: Measured & { statements: number } }[] = []
  for (let round = 1; round <= count; round++) {
    stand.progress(`${describe(scenario)}, round ${round} of ${count}`)
    await fillQueue(hub.publisher, endpoints, DELIVERIES)
    await gatherStatistics(stand.sql)
    await receiver.received()
    const bare = await measure(DELIVERIES, hub.readCpu, () => runBareLoop(origin, bodies, behavior))
    const ours = await hub.drain(DELIVERIES)
    const { posts } = await receiver.received()
    if (posts !== 2 * DELIVERIES) throw new Error(`The receiver got ${posts} requests instead of ${2 * DELIVERIES}`)
    rounds.push({ bare, ours })
  }
  await deleteEndpoints(stand.sql, endpoints)
  return toResults(
    pickMedianRound(rounds, ({ bare, ours }) => ours.perSecond / bare.perSecond),
    scenario,
  )
}

/** A URL whose host name the hub must resolve, as for a real receiver. */
export function buildReceiverUrl(index: number, port: number, behavior = 'ok', isTls = false): string {
  return `${isTls ? 'https' : 'http'}://r${index % NAMES}.${RECEIVER_DOMAIN}:${port}/${behavior}/${index}`
}

type Round = { bare: Measured; ours: Measured & { statements: number } }

function describe({ endpoints, behavior, isTls, note }: Scenario): string {
  const parts = [endpoints === 1 ? 'to 1 endpoint' : `to ${endpoints} endpoints`]
  if (isTls) parts.push('over TLS')
  if (behavior === 'empty') parts.push('all answers empty')
  if (note) parts.push(note)
  return parts.join(', ')
}

function toResults({ bare, ours }: Round, scenario: Scenario): Result[] {
  const { hasGoals } = scenario
  const to = describe(scenario)
  return [
    {
      what: `deliveries/s ${to}, of a bare loop that signs and posts`,
      measured: ours.perSecond,
      baseline: bare.perSecond,
    },
    {
      what: `a delivery ${to}`,
      value: ours.statements,
      unit: 'SQL statements',
      ...(hasGoals && { goal: { atMost: 0.02 } }),
    },
    {
      what: `a delivery ${to}, in hub and database`,
      value: ours.cpu.own + ours.cpu.database,
      unit: 'CPU µs',
      ...(hasGoals && { goal: { atMost: 160 } }),
    },
    {
      what: `a delivery ${to}, in the hub (the bare loop: ${bare.cpu.own.toFixed(0)})`,
      value: ours.cpu.own,
      unit: 'CPU µs',
    },
    { what: `a delivery ${to}, in the database`, value: ours.cpu.database, unit: 'CPU µs' },
  ]
}
