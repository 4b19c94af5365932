import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { ListenerLine } from '../../server/src/domains/webhooks/listeners/schemas.ts'
import { buildCallback, buildChange } from '../callbacks.ts'
import type { GrowthHub } from './growth-hub.ts'
import type { Step } from './step.ts'

const TIMES = 5

/** A listener from its creation to its deletion, with a delivery that its stream sends and the client acknowledges. */
export function listListenerSteps({ hub, key, numbers, request }: GrowthHub): Step[] {
  async function run(i: number): Promise<void> {
    const { data } = await request('POST', '/api/v1/listeners', {})
    const { listener, secret } = data as { listener: { id: string }; secret: string }
    const path = `/api/v1/listeners/${listener.id}`
    const headers = { 'x-hub-listener-secret': secret }
    const [number] = numbers
    if (!number) throw new Error('There is no number')
    const callback = buildCallback(number, [buildChange(number, i)])
    await fetch(hub.url + callback.path, { method: 'POST', headers: callback.headers, body: callback.body })
    const deliveryId = await readDeliveryId(hub.url + path, { ...headers, authorization: `Bearer ${key}` })
    await request('POST', `${path}/acknowledge`, { delivery_ids: [deliveryId] }, headers)
    await request('DELETE', path, undefined, headers)
  }
  return [{ name: 'listener', times: TIMES, run }]
}

async function readDeliveryId(url: string, headers: Record<string, string>): Promise<string> {
  const disconnect = new AbortController()
  const { body } = await fetch(`${url}/stream`, { headers, signal: disconnect.signal })
  const stream = Readable.fromWeb(body as ReadableStream)
  const closed = once(stream, 'close').catch(() => undefined)
  for await (const line of createInterface({ input: stream })) {
    const { id } = JSON.parse(line) as ListenerLine
    if (id === undefined) continue
    disconnect.abort()
    await closed
    return id
  }
  throw new Error('The stream ended without a delivery')
}
