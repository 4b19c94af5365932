import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import type { TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'
import { createSessionCookie } from '../../auth/sessions/cookie.ts'
import type { SentUpdate } from '../schemas.ts'

type Watcher = { cookie: string; organizationId: string }
type Options = { lastEventId?: string; headers?: Record<string, string>; organizationId?: string }

export type TestStream = Awaited<ReturnType<typeof openStream>>

/** Opens further sessions of a person, without the limits of a sign-in. */
export function openSessions(hub: TestHub, person: { userId: string; organizationId: string }, count: number) {
  const { userId, organizationId } = person
  const client = { ip: '127.0.0.1', requestId: newId(), userAgent: null }
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { token } = await hub.sql.begin((tx) =>
        hub.context.sessions.start(tx, { userId, organizationId, client, hasSecondFactor: false }),
      )
      return { organizationId, cookie: `${createSessionCookie(false).name}=${token}` }
    }),
  )
}

export function requestStream(url: string, watcher: Watcher, options: Options = {}, signal?: AbortSignal) {
  const { lastEventId, headers, organizationId = watcher.organizationId } = options
  return fetch(`${url}/console/organizations/${organizationId}/events`, {
    ...(signal && { signal }),
    headers: { cookie: watcher.cookie, ...headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
  })
}

/** Opens a stream, which ends with the test at the latest. */
export async function openStream(t: TestContext, url: string, watcher: Watcher, options: Options = {}) {
  const abort = new AbortController()
  t.after(() => abort.abort())
  const response = await requestStream(url, watcher, options, abort.signal)
  assert.equal(response.status, 200, response.status === 200 ? '' : await response.text())
  assert.ok(response.body)
  const input = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  // The test ends it by an abort, which is an error here.
  input.on('error', () => undefined)
  const lines = createInterface({ input })[Symbol.asyncIterator]()

  async function next(): Promise<SentUpdate | undefined> {
    const { value, done } = await lines.next()
    if (done) return undefined
    if (!value.startsWith('id: ')) return next()
    const data = await lines.next()
    const update: SentUpdate = JSON.parse(data.value?.replace(/^data: /, '') ?? '')
    assert.equal(value, `id: ${update.id}`)
    return update
  }

  return {
    headers: response.headers,

    async next(): Promise<SentUpdate> {
      const update = await next()
      if (!update) throw new Error('The stream is over')
      return update
    },

    /** The next update of a kind. */
    async find(kind: SentUpdate['kind']): Promise<SentUpdate> {
      for (;;) {
        const update = await this.next()
        if (update.kind === kind) return update
      }
    },

    /** Resolves when the hub ends the stream. */
    async end(): Promise<void> {
      while (await next());
    },

    /** Disconnects, as a killed client does. */
    hangUp: () => abort.abort(),
  }
}
