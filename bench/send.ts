import Fastify from 'fastify'
import { Pool as Connections } from 'undici'
import { newId } from '../server/src/kernel/ids.ts'
import { type BenchChannel, connectChannels, openHub } from './bench-hub.ts'
import type { Benchmark, Result } from './benchmark.ts'
import { median } from './deliver/statistics.ts'
import { type Post, type Posted, startLoadProcess } from './load-process.ts'
import { createMeasurement, gatherStatistics } from './measurement.ts'
import { alternateRounds } from './rounds.ts'
import { startUpstream } from './simulated-upstream.ts'
import { measureWritten, type Written } from './written.ts'

const CHANNELS = 50
const CONCURRENCY = 64
const SENDS_PER_ROUND = 1500
/** One after the other, for the time that the hub adds to a send at rest. */
const SENDS_AT_REST = 200

/**
 * The cost of a send beyond the upstream call: `POST /api/v1/channels/:id/messages`
 * with access control, validation, the idempotency key, the log and its event,
 * against a bare Fastify route that forwards the same body with undici and stores
 * nothing.
 *
 * Both servers run in this process, in alternating rounds, and get the same posts:
 * 64 at a time over kept-alive connections, each with its own idempotency key. The
 * load and the upstream (the simulator without limits) are separate processes. Only
 * the hub has a database, on the same machine.
 */
export const send: Benchmark = {
  name: 'send',
  summary: 'a message to the upstream, with a bare route that forwards it and stores nothing',
  async run(stand) {
    await using upstream = await startUpstream(CHANNELS)
    await using posting = await startLoadProcess()
    const hub = await openHub(stand, upstream.url)
    const channels = await connectChannels(hub, upstream.numbers)
    const bare = await openBare(upstream.url, channels)
    const measure = await createMeasurement(stand.sql, posting)
    const plan = { concurrency: CONCURRENCY, status: 202 }

    const { bare: base, hub: ours } = await alternateRounds(
      {
        bare: () => measure({ ...plan, url: bare.url, posts: buildSends(channels) }, SENDS_PER_ROUND),
        hub: () => measure({ ...plan, url: hub.url, posts: buildSends(channels) }, SENDS_PER_ROUND),
        settle: () => gatherStatistics(stand.sql),
      },
      stand,
    )
    const atRest = { concurrency: 1, status: 202, perSecond: 50 }
    const restOf = (url: string) =>
      posting.post({ ...atRest, url, posts: buildSends(channels, SENDS_AT_REST) }, async () => {})
    const bareAtRest = readMedian(await restOf(bare.url))
    let hubAtRest = Number.NaN
    const sendAtRest = async () => {
      hubAtRest = readMedian(await restOf(hub.url))
    }
    const written = await measureWritten(stand.sql, sendAtRest, SENDS_AT_REST)
    if (!written) await sendAtRest()
    await bare.close()
    await hub.stop()
    const cpu = { measured: ours.cpuMicros, baseline: base.cpuMicros }
    return [
      {
        what: 'sends/s of a bare route that forwards',
        measured: ours.perSecond,
        baseline: base.perSecond,
        goal: { atLeast: 0.38 },
      },
      { what: 'CPU microseconds a send in server and database, of that route', ...cpu, goal: { atMost: 4 } },
      {
        what: 'added to a send at rest, the median',
        value: hubAtRest - bareAtRest,
        unit: 'ms',
        goal: { atMost: 5 },
      },
      ...(written ? listWritten(written) : []),
    ]
  },
}

/** A send at rest is no part of a batch, so that it writes the most. */
function listWritten({ indexEntries, heapRows, walBytes }: Written): Result[] {
  return [
    { what: 'in indexes, of a send at rest', value: indexEntries, unit: 'entries', goal: { atMost: 14 } },
    { what: 'in tables, of a send at rest', value: heapRows, unit: 'rows' },
    { what: 'write-ahead log of a send at rest', value: walBytes / 1000, unit: 'KB', goal: { atMost: 4.2 } },
  ]
}

function readMedian({ answers }: Posted): number {
  return median(answers.map(({ tookMs }) => tookMs))
}

export function buildSends(channels: BenchChannel[], count = SENDS_PER_ROUND): Post[] {
  return Array.from({ length: count }, (_, i) => {
    const { id, key } = channels[i % channels.length] ?? {}
    const message = { to: String(5_511_900_000_000 + i), type: 'text', text: { body: `Pedido ${i} está a caminho.` } }
    return {
      path: `/api/v1/channels/${id}/messages`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': newId() },
      body: JSON.stringify(message),
    }
  })
}

/** The baseline: forwards a message to the upstream and does nothing else. */
async function openBare(upstreamUrl: string, channels: BenchChannel[]) {
  const connections = new Connections(upstreamUrl, { connections: CONCURRENCY })
  const numbers = new Map(channels.map(({ id, number }) => [id, number]))
  const app = Fastify()
  app.post<{ Params: { id: string }; Body: Record<string, unknown> }>(
    '/api/v1/channels/:id/messages',
    async (request, reply) => {
      const number = numbers.get(request.params.id)
      const answer = await connections.request({
        path: `/v25.0/${number?.phoneNumberId}/messages`,
        method: 'POST',
        headers: { authorization: `Bearer ${number?.accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messaging_product: 'whatsapp', ...request.body }),
      })
      const text = await answer.body.text()
      return reply
        .code(answer.statusCode === 200 ? 202 : 502)
        .type('application/json')
        .send(text)
    },
  )
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    async close(): Promise<void> {
      await app.close()
      await connections.close()
    },
  }
}
