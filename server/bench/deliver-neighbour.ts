import { setTimeout as delay } from 'node:timers/promises'
import type { Result } from './benchmark.ts'
import type { Scene } from './deliver-hub.ts'
import { publishEvenly, waitsUntilHit } from './deliver-latency.ts'
import { middle, quantile } from './deliver-rounds.ts'
import { type Endpoint, makeEndpoints, removeEndpoints } from './deliver-seed.ts'
import { nameOf } from './deliver-throughput.ts'

const ROUNDS = 3
const ENDPOINTS = 50
/** To the endpoints that are watched, and as many to their neighbours. */
const PER_SECOND = 100
const SECONDS = 6
/** Longer than an attempt may take, so that the first of the silent ones have run out. */
const SETTLE_SECONDS = { ok: 1, silent: 11 }

type Manner = keyof typeof SETTLE_SECONDS
type Round = { beside: Record<Manner, number[]> }

/**
 * How long an event waits from its commit until its receiver has read it, beside
 * as many events for neighbours: first such that answer, then such that take
 * them and say nothing. Those answer every eighth time, which is often enough
 * not to be paused.
 */
export async function measureWaits(scene: Scene): Promise<Result[]> {
  const { hub, stand, receiver } = scene
  const watched = await makeEndpoints(hub.context, ENDPOINTS, (index) => nameOf(index, receiver.port, 'timed'))
  const rounds: Round[] = []
  hub.context.engine.start()
  try {
    await waitsOf(scene, watched, 2)
    for (let round = 0; round < ROUNDS; round++) {
      const ok = await waitsBeside(scene, watched, 'ok')
      rounds.push({ beside: { ok, silent: await waitsBeside(scene, watched, 'silent') } })
    }
  } finally {
    await hub.context.engine.stop()
    await removeEndpoints(stand.sql, watched)
  }
  return resultsOf(rounds)
}

function resultsOf(rounds: Round[]): Result[] {
  const calm = rounds.flatMap(({ beside }) => beside.ok)
  const p99s = rounds.map(({ beside }) => ({ ok: quantile(beside.ok, 0.99), silent: quantile(beside.silent, 0.99) }))
  const { ok: baseline, silent: measured } = middle(p99s, ({ ok, silent }) => silent / ok)
  const wait = `from commit to receiver at ${2 * PER_SECOND} events/s`
  return [
    { what: `${wait}: p50 (goal: below 20)`, ...ms(quantile(calm, 0.5)) },
    { what: `${wait}: p99 (goal: below 150)`, ...ms(quantile(calm, 0.99)) },
    { what: `ms ${wait}, half of them to silent receivers, of none: p99 (goal: at most 1.5)`, measured, baseline },
  ]
}

async function waitsOf({ hub, receiver }: Scene, endpoints: Endpoint[], seconds: number): Promise<number[]> {
  const accepted = await publishEvenly(hub.context, { endpoints, perSecond: PER_SECOND, seconds })
  return waitsUntilHit(accepted, receiver)
}

async function waitsBeside(scene: Scene, watched: Endpoint[], manner: Manner): Promise<number[]> {
  const { hub, stand, receiver } = scene
  const neighbours = await makeEndpoints(hub.context, ENDPOINTS, (index) => nameOf(index, receiver.port, manner))
  const settleSeconds = SETTLE_SECONDS[manner]
  const load = { endpoints: neighbours, perSecond: PER_SECOND, seconds: settleSeconds + SECONDS }
  const traffic = publishEvenly(hub.context, load)
  await delay(settleSeconds * 1000)
  const waits = await waitsOf(scene, watched, SECONDS)
  await traffic
  await removeEndpoints(stand.sql, neighbours)
  return waits
}

function ms(value: number) {
  return { value, unit: 'ms' }
}
