import { setTimeout as delay } from 'node:timers/promises'
import type { Result } from './benchmark.ts'
import type { Scene } from './deliver-hub.ts'
import { publishEvenly, waitsUntilHit } from './deliver-latency.ts'
import { quantile } from './deliver-rounds.ts'
import { type Endpoint, makeEndpoints, removeEndpoints } from './deliver-seed.ts'
import { nameOf } from './deliver-throughput.ts'

const ROUNDS = 2
const ENDPOINTS = 50
const PER_SECOND = 200
const SECONDS = 7
/** Longer than an attempt may take, so that the first of the silent ones have run out. */
const SETTLE_SECONDS = 11

/**
 * How long an event waits from its commit until its receiver has read it, alone
 * and beside as many events again whose receivers take them and say nothing.
 * Those answer every eighth time, which is often enough not to be paused.
 */
export async function measureWaits(scene: Scene): Promise<Result[]> {
  const { hub, stand, receiver } = scene
  const healthy = await makeEndpoints(hub.context, ENDPOINTS, (index) => nameOf(index, receiver.port, 'timed'))
  const alone: number[] = []
  const beside: number[] = []
  hub.context.engine.start()
  try {
    await waitsOf(scene, healthy, 2)
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(...(await waitsOf(scene, healthy, SECONDS)))
      beside.push(...(await waitsBesideSilence(scene, healthy)))
    }
  } finally {
    await hub.context.engine.stop()
    await removeEndpoints(stand.sql, healthy)
  }
  return [
    { what: `from commit to receiver, at ${PER_SECOND} events/s: p50 (goal: below 20)`, ...ms(quantile(alone, 0.5)) },
    { what: `from commit to receiver, at ${PER_SECOND} events/s: p99 (goal: below 150)`, ...ms(quantile(alone, 0.99)) },
    {
      what: 'ms from commit to receiver beside as many for silent receivers, of the same alone: p99 (goal: at most 1.5)',
      measured: quantile(beside, 0.99),
      baseline: quantile(alone, 0.99),
    },
  ]
}

async function waitsOf({ hub, receiver }: Scene, endpoints: Endpoint[], seconds: number): Promise<number[]> {
  const accepted = await publishEvenly(hub.context, { endpoints, perSecond: PER_SECOND, seconds })
  return waitsUntilHit(accepted, receiver)
}

async function waitsBesideSilence(scene: Scene, healthy: Endpoint[]): Promise<number[]> {
  const { hub, stand, receiver } = scene
  const silent = await makeEndpoints(hub.context, ENDPOINTS, (index) => nameOf(index, receiver.port, 'silent'))
  const load = { endpoints: silent, perSecond: PER_SECOND, seconds: SETTLE_SECONDS + SECONDS }
  const noise = publishEvenly(hub.context, load)
  await delay(SETTLE_SECONDS * 1000)
  const waits = await waitsOf(scene, healthy, SECONDS)
  await noise
  await removeEndpoints(stand.sql, silent)
  return waits
}

function ms(value: number) {
  return { value, unit: 'ms' }
}
