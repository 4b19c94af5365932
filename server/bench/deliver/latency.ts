import { setTimeout as delay } from 'node:timers/promises'
import type { Result } from '../benchmark.ts'
import type { Setup } from './delivery-hub.ts'
import { deleteEndpoints, type Endpoint, insertEndpoints } from './seed.ts'
import { pickMedianRound, quantile } from './statistics.ts'
import { publishEvenly, readLatencies } from './steady-load.ts'
import { buildReceiverUrl } from './throughput.ts'

const ROUNDS = 3
const ENDPOINTS = 50
/** Events for the measured endpoints, and as many for their neighbors. */
const PER_SECOND = 100
const SECONDS = 6
/** For silent neighbors longer than the deadline of an attempt, so that the first attempts have timed out. */
const SETTLE_SECONDS = { ok: 1, silent: 11 }

type Behavior = keyof typeof SETTLE_SECONDS
type Round = { beside: Record<Behavior, number[]> }

/**
 * The time from the commit of an event until its receiver has read it, with as
 * many events for neighbors: first for neighbors that respond, then for silent
 * ones, which respond to every eighth request, so that the hub does not pause them.
 */
export async function measureLatency(setup: Setup): Promise<Result[]> {
  const { hub, stand, receiver } = setup
  const watched = await insertEndpoints(hub.context, ENDPOINTS, (index) =>
    buildReceiverUrl(index, receiver.port, 'timed'),
  )
  const rounds: Round[] = []
  hub.context.engine.start()
  try {
    await measureLatencies(setup, watched, 2)
    for (let round = 0; round < ROUNDS; round++) {
      const ok = await measureLatenciesBeside(setup, watched, 'ok')
      rounds.push({ beside: { ok, silent: await measureLatenciesBeside(setup, watched, 'silent') } })
    }
  } finally {
    await hub.context.engine.stop()
    await deleteEndpoints(stand.sql, watched)
  }
  return toResults(rounds)
}

function toResults(rounds: Round[]): Result[] {
  const calm = rounds.flatMap(({ beside }) => beside.ok)
  const p99s = rounds.map(({ beside }) => ({ ok: quantile(beside.ok, 0.99), silent: quantile(beside.silent, 0.99) }))
  const { ok: baseline, silent: measured } = pickMedianRound(p99s, ({ ok, silent }) => silent / ok)
  const wait = `from commit to receiver at ${2 * PER_SECOND} events/s`
  return [
    { what: `${wait}: p50 (goal: below 20)`, ...ms(quantile(calm, 0.5)) },
    { what: `${wait}: p99 (goal: below 150)`, ...ms(quantile(calm, 0.99)) },
    { what: `ms ${wait}, half of them to silent receivers, of none: p99 (goal: at most 1.5)`, measured, baseline },
  ]
}

async function measureLatencies({ hub, receiver }: Setup, endpoints: Endpoint[], seconds: number): Promise<number[]> {
  const accepted = await publishEvenly(hub.context, { endpoints, perSecond: PER_SECOND, seconds })
  return readLatencies(accepted, receiver)
}

async function measureLatenciesBeside(setup: Setup, watched: Endpoint[], behavior: Behavior): Promise<number[]> {
  const { hub, stand, receiver } = setup
  const neighbors = await insertEndpoints(hub.context, ENDPOINTS, (index) =>
    buildReceiverUrl(index, receiver.port, behavior),
  )
  const settleSeconds = SETTLE_SECONDS[behavior]
  const load = { endpoints: neighbors, perSecond: PER_SECOND, seconds: settleSeconds + SECONDS }
  const traffic = publishEvenly(hub.context, load)
  await delay(settleSeconds * 1000)
  const latencies = await measureLatencies(setup, watched, SECONDS)
  await traffic
  await deleteEndpoints(stand.sql, neighbors)
  return latencies
}

function ms(value: number) {
  return { value, unit: 'ms' }
}
