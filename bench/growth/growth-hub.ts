import { randomBytes } from 'node:crypto'
import type { Hub } from '../../server/src/app/hub.ts'
import { OPERATOR } from '../../server/src/domains/audit/initiator.ts'
import { createSessionCookie } from '../../server/src/domains/auth/sessions/cookie.ts'
import { createCursors } from '../../server/src/kernel/crypto/cursor.ts'
import type { KeyRing } from '../../server/src/kernel/crypto/key-ring.ts'
import { openPool } from '../../server/src/kernel/db/pool.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import { connectChannel, openHub, openOrganization } from '../bench-hub.ts'
import type { CountingDatabase } from '../counting-database.ts'
import { startReceiver } from '../deliver/receiver.ts'
import { type SeededNumber, startUpstream } from '../simulated-upstream.ts'
import { LOG_DAYS } from './database.ts'
import type { Tenant } from './fill.ts'

const CHANNELS = 10
const ENDPOINTS = 20
const INVITATIONS = 20
/** Few, so that a warm-up prepares every statement on each. */
const POOL_SIZE = 3
const PUBLIC_URL = 'http://localhost:8080'

export type Answer = { data: Record<string, unknown> }

export type GrowthHub = AsyncDisposable & {
  hub: Hub
  tenant: Tenant
  numbers: SeededNumber[]
  receiverUrl: string
  /** The position of an id in a list, as a client would get it from the page before. */
  encodeCursor: (id: string, list: readonly unknown[]) => string
  /** Calls a route with a key or, below /console, with a session. */
  request: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>
  /** The key of the API. */
  key: string
}

/** A hub that runs its jobs and delivers only on request, and an organization made through its services and routes. */
export async function openGrowthHub(database: CountingDatabase): Promise<GrowthHub> {
  const ring: KeyRing = [{ id: 'bench', bytes: randomBytes(32) }]
  const upstream = await startUpstream(CHANNELS)
  const receiver = await startReceiver()
  const sql = openPool(database.url, { max: POOL_SIZE, name: 'growth-hub' })
  const env = {
    PUBLIC_URL,
    RETENTION_MESSAGES_DAYS: String(LOG_DAYS),
    RETENTION_EVENTS_DAYS: String(LOG_DAYS),
    WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${receiver.port}`,
  }
  const hub = await openHub({ sql, keyRing: () => ring }, upstream.url, { env, role: 'api', isDelivering: false })
  const { organizationId, key } = await openOrganization(hub.context)
  const { userId, cookie } = await openSession(hub.context, organizationId)

  async function request(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const credential = path.startsWith('/console') ? { cookie, origin: PUBLIC_URL } : { authorization: `Bearer ${key}` }
    const json = body && { 'content-type': 'application/json' }
    const answer = await fetch(hub.url + path, {
      method,
      headers: { ...credential, ...json, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${text}`)
    return (text.startsWith('{') ? JSON.parse(text) : undefined) as Answer
  }

  const channelIds: string[] = []
  for (const number of upstream.numbers) channelIds.push(await connectChannel(hub.context, organizationId, number))
  const receiverUrl = `http://127.0.0.1:${receiver.port}/ok/`
  async function createEndpoint(channelId: string | undefined, eventTypes: string[]): Promise<string> {
    const endpoint = { name: 'Growth', url: receiverUrl, all_channels: false, channel_ids: [channelId] }
    const { data } = await request('POST', '/api/v1/webhooks', { ...endpoint, event_types: eventTypes })
    return (data as { webhook: { id: string } }).webhook.id
  }
  const endpointIds: string[] = []
  for (let i = 0; i < ENDPOINTS; i++) endpointIds.push(await createEndpoint(channelIds[i % CHANNELS], []))
  const canceledEndpointId = await createEndpoint(channelIds[0], ['account.update'])
  for (let i = 0; i < INVITATIONS; i++) {
    await request('POST', '/console/invitations', { email: `${i}@growth.example`, role: 'viewer' })
  }
  return {
    hub,
    tenant: { organizationId, userId, channelIds, endpointIds, canceledEndpointId },
    receiverUrl,
    numbers: upstream.numbers,
    encodeCursor: createCursors(() => ring[0].bytes).encode,
    request,
    key,
    async [Symbol.asyncDispose]() {
      await hub.stop()
      await sql.end()
      await receiver[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

async function openSession({ sql, users, members, sessions }: Hub['context'], organizationId: string) {
  return sql.begin(async (tx) => {
    const user = await users.register(tx, {
      email: 'ana@growth.example',
      name: 'Ana',
      passwordHash: '',
      isEmailVerified: true,
    })
    if (!user) throw new Error('The e-mail is taken')
    await members.add(tx, { organizationId, userId: user.id, role: 'owner', initiator: OPERATOR })
    const client = { ip: '127.0.0.1', requestId: newId(), userAgent: null }
    const { token } = await sessions.start(tx, { userId: user.id, organizationId, client, hasSecondFactor: false })
    return { userId: user.id, cookie: `${createSessionCookie(false).name}=${token}` }
  })
}
