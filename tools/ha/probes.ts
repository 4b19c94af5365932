import { setTimeout as delay } from 'node:timers/promises'
import { openPool } from '../../server/src/kernel/db/pool.ts'
import type { Hub } from '../torture/installation.ts'
import type { World } from '../torture/operations.ts'

const WRITE_EVERY_MS = 50
const SEND_EVERY_MS = 100
const ANSWER_MS_MAX = 1000

/** When each database server took a write. */
export type Writes = { stop: () => Promise<void>; takenAt: number[] }
export type Send = { from: number; at: number; status: number }

/** Writes to each server all the time, past HAProxy: the server that takes it is the primary. */
export function watchWrites(urls: string[]): Writes {
  const stopping = new AbortController()
  const takenAt: number[] = []
  const watching = urls.map(async (url) => {
    const pool = openPool(url, { max: 1, name: 'ha', responseTimeoutMs: ANSWER_MS_MAX })
    while (!stopping.signal.aborted) {
      // A standby refuses it, and a primary waits for its standby.
      await pool`update ha_probe set n = n + 1`.then(
        () => takenAt.push(Date.now()),
        () => undefined,
      )
      await delay(WRITE_EVERY_MS)
    }
    await pool.end({ timeout: 1 })
  })
  return {
    takenAt,
    async stop() {
      stopping.abort()
      await Promise.all(watching)
    },
  }
}

/** Sends a message every tenth of a second by way of HAProxy, whatever became of those before. */
export function watchSends(world: World, url: string) {
  const stopping = new AbortController()
  const sends: Send[] = []
  const open = new Set<Promise<void>>()
  const [tenant] = world.tenants
  const [channel] = tenant?.channels ?? []
  if (!tenant || !channel) throw new Error('There is no channel')

  async function sendOnce(n: number): Promise<void> {
    const one = {
      tenant,
      channel,
      key: `probe-key-${n}`,
      to: `55219${String(10_000_000 + n)}`,
    } as World['sent'][number]
    world.sent.push(one)
    const from = Date.now()
    const { status } = await world.send(one, 'send', { url } as Hub)
    sends.push({ from, at: Date.now(), status })
  }

  const watching = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const sending = sendOnce(n).finally(() => open.delete(sending))
      open.add(sending)
      await delay(SEND_EVERY_MS)
    }
    await Promise.all(open)
  })()

  return {
    sends,
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/** Measures the cost of a failure: for how long no server took a write, and no send that began then was answered 202. */
export function measure(
  { takenAt }: Pick<Writes, 'takenAt'>,
  sends: readonly Send[],
  { from, until }: { from: number; until: number },
) {
  const writes = [from, ...takenAt.filter((at) => at >= from && at <= until).sort((a, b) => a - b), until]
  const gaps = writes.slice(1).map((at, i) => ({ from: writes[i] as number, at, ms: at - (writes[i] as number) }))
  const longest = gaps.reduce((most, gap) => (gap.ms > most.ms ? gap : most))
  const within = sends.filter((send) => send.from >= from && send.from <= until).sort((a, b) => a.from - b.from)
  const failed = within.filter(({ status }) => status !== 202)
  const worked = within.filter(({ status, at }) => status === 202 && at >= longest.at).map(({ at }) => at)
  return {
    notWritableMs: longest.ms,
    sendsAfterMs: Math.max(0, Math.min(...worked) - longest.at),
    slowestSendMs: Math.max(0, ...within.filter(({ status }) => status === 202).map(({ from, at }) => at - from)),
    failed: failed.length,
    sends: within.length,
  }
}
