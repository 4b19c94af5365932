import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../../test/client.ts'
import { bearer } from '../../../../../test/hub.ts'
import type { ListenerLine } from '../schemas.ts'

export type TestListener = { id: string; secret: string }
export type DeliveryLine = Required<Pick<ListenerLine, 'id' | 'event' | 'event_id' | 'headers' | 'body'>>
type Credential = { key: string } | { cookie: string }

export async function createListener(owner: Client, body: object = {}): Promise<TestListener> {
  const created = await owner.post('/api/v1/listeners', body)
  assert.equal(created.status, 201, created.text)
  return { id: created.body.data.listener.id, secret: created.body.data.secret }
}

export function acknowledge(owner: Client, listener: TestListener, ids: string[]): Promise<Answer> {
  const headers = { 'x-hub-listener-secret': listener.secret }
  return owner.post(`/api/v1/listeners/${listener.id}/acknowledge`, { delivery_ids: ids }, { headers })
}

export type TestStream = Awaited<ReturnType<typeof attach>>

/** Attaches a stream, which ends with the test at the latest. */
export async function attach(t: TestContext, url: string, credential: Credential, { id, secret }: TestListener) {
  const abort = new AbortController()
  t.after(() => abort.abort())
  const response = await fetch(`${url}/api/v1/listeners/${id}/stream`, {
    signal: abort.signal,
    headers: {
      'x-hub-listener-secret': secret,
      ...('key' in credential ? bearer(credential.key) : { cookie: credential.cookie }),
    },
  })
  if (!response.body || response.status !== 200) return refuse(response)
  const input = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  // The test ends it by an abort, which is an error here.
  input.on('error', () => undefined)
  const lines = readLines(input)

  async function next(): Promise<ListenerLine> {
    const { value, done } = await lines.next()
    if (done) throw new Error('The stream is over')
    return value.type === 'heartbeat' ? next() : value
  }

  return {
    headers: response.headers,

    /** The next delivery. */
    async delivery(): Promise<DeliveryLine> {
      const line = await next()
      assert.equal(line.type, 'delivery', JSON.stringify(line))
      return line as DeliveryLine
    },

    async deliveries(count: number): Promise<DeliveryLine[]> {
      const found: DeliveryLine[] = []
      while (found.length < count) found.push(await this.delivery())
      return found
    },

    /** The last line, after any deliveries, and nothing after it. */
    async end(): Promise<ListenerLine> {
      let line = await next()
      while (line.type === 'delivery') line = await next()
      assert.equal((await lines.next()).done, true)
      return line
    },

    /** Disconnects, as a killed client does. */
    hangUp: () => abort.abort(),
  }
}

async function refuse(response: Response): Promise<never> {
  throw new Error(`The stream was refused with ${response.status}: ${await response.text()}`)
}

async function* readLines(input: Readable): AsyncGenerator<ListenerLine> {
  for await (const line of createInterface({ input })) yield JSON.parse(line)
}
