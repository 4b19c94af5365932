import { setTimeout as delay } from 'node:timers/promises'
import type { Result } from '../benchmark.ts'
import type { Setup } from './delivery-hub.ts'
import { deleteEndpoints, type Endpoint, insertEndpoints } from './seed.ts'
import { pickMedianRound, quantile } from './statistics.ts'
import { publishEvenly, readLatencies } from './steady-load.ts'
import { buildReceiverUrl } from './throughput.ts'

const ROUNDS = 3
const ENDPOINTS = 50
/** Events for the measured endpoints, and as many for silent neighbors. */
export const PER_SECOND = 100
export const SECONDS = 6
/** Longer than the deadline of an attempt, so that the first attempts to silent neighbors have timed out. */
const SETTLE_SECONDS = 11

type Round = { alone: number[]; besideSilent: number[] }

/**
 * The time from the commit of an event until its receiver has read it: without
 * neighbors, then with as many events for silent ones, which respond to every
 * eighth request, so that the hub does not pause them.
 */
export async function measureLatency(setup: Setup): Promise<Result[]> {
  const { hub, stand, receiver } = setup
  const watched = await insertEndpoints(hub.context, ENDPOINTS, (index) =>
    buildReceiverUrl(index, receiver.port, 'timed'),
  )
  const rounds: Round[] = []
  const count = stand.isQuick ? 1 : ROUNDS
  hub.context.engine.start()
  try {
    await measureLatencies(setup, watched, 2)
    for (let round = 1; round <= count; round++) {
      stand.progress(`latency, round ${round} of ${count}`)
      const alone = await measureLatencies(setup, watched, SECONDS)
      rounds.push({ alone, besideSilent: await measureBesideSilent(setup, watched) })
    }
  } finally {
    await hub.context.engine.stop()
    await deleteEndpoints(stand.sql, watched)
  }
  return toResults(rounds)
}

function toResults(rounds: Round[]): Result[] {
  const calm = rounds.flatMap(({ alone }) => alone)
  const p99s = rounds.map((round) => ({
    baseline: quantile(round.alone, 0.99),
    measured: quantile(round.besideSilent, 0.99),
  }))
  const p99 = pickMedianRound(p99s, ({ measured, baseline }) => measured / baseline)
  const wait = `from commit to receiver at ${PER_SECOND} events/s`
  return [
    { what: `${wait}: p50`, value: quantile(calm, 0.5), unit: 'ms', goal: { atMost: 0.7 } },
    { what: `${wait}: p99`, value: quantile(calm, 0.99), unit: 'ms', goal: { atMost: 2 } },
    { what: `ms ${wait}, beside as many to silent receivers, of none: p99`, ...p99, goal: { atMost: 1.5 } },
  ]
}

export async function measureLatencies(
  { hub, receiver }: Setup,
  endpoints: Endpoint[],
  seconds: number,
): Promise<number[]> {
  const accepted = await publishEvenly(hub.context, { endpoints, perSecond: PER_SECOND, seconds })
  return readLatencies(accepted, receiver)
}

async function measureBesideSilent(setup: Setup, watched: Endpoint[]): Promise<number[]> {
  const { hub, stand, receiver } = setup
  const neighbors = await insertEndpoints(hub.context, ENDPOINTS, (index) =>
    buildReceiverUrl(index, receiver.port, 'silent'),
  )
  const load = { endpoints: neighbors, perSecond: PER_SECOND, seconds: SETTLE_SECONDS + SECONDS }
  const traffic = publishEvenly(hub.context, load)
  await delay(SETTLE_SECONDS * 1000)
  const latencies = await measureLatencies(setup, watched, SECONDS)
  await traffic
  await deleteEndpoints(stand.sql, neighbors)
  return latencies
}
