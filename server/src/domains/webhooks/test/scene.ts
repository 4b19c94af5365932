import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { type Received, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { Webhook } from '../endpoints/schemas.ts'
import type { AttemptRecord, Delivery } from '../log/schemas.ts'

export type Owner = Client & { organizationId: string }
export type Endpoint = Webhook & { secret: string; path: string }
type Options = NonNullable<Parameters<typeof startHub>[1]>

export type Scene = Awaited<ReturnType<typeof startScene>>

/** A hub, a receiver that it may reach, and an organization with the verbs of its webhooks. */
export async function startScene(t: TestContext, options: Options = {}) {
  const receiver = await startReceiver(t)
  const hub = await startBeside(t, receiver, options)
  // The file's tests share a database: what another one left is not this one's to deliver.
  await hub.sql`delete from delivery_queue`
  const acme = await hub.organization()
  return { hub, receiver, acme, ...verbs(hub, receiver, acme) }
}

/** The same with an upstream, so that channels of the organization can be connected. */
export async function startUpstreamScene(t: TestContext) {
  const receiver = await startReceiver(t)
  const world = await startHubWithUpstream(t, { env: reaching(receiver) })
  const { hub } = world
  await hub.sql`delete from delivery_queue`
  const acme = await hub.organization()
  return { ...world, receiver, acme, ...verbs(hub, receiver, acme) }
}

/** Another hub on the same database, for all that a test can tell in another process. */
export async function startBeside(t: TestContext, receiver: Receiver, options: Options = {}): Promise<TestHub> {
  const role = options.isDelivering ? {} : WITHOUT_TIMERS
  return startHub(t, { ...options, env: reaching(receiver, { ...role, ...options.env }) })
}

/** A hub that serves the API alone leaves its timers' work to others: here, to the test. */
const WITHOUT_TIMERS = {
  ROLE: 'api',
  DATABASE_URL: 'postgres://not.used/',
  SEALING_KEYS: `not-used:${Buffer.alloc(32).toString('base64')}`,
  UPSTREAM_URL: 'http://not.used',
  UPSTREAM_APP_ID: '0',
  UPSTREAM_APP_SECRET: 'not used',
  UPSTREAM_CONFIG_ID: '0',
  UPSTREAM_VERIFY_TOKEN: 'not used',
}

/** The environment of a hub that may reach the receiver, and has no quotas. */
export function reaching(receiver: Receiver, env: Record<string, string> = {}): Record<string, string> {
  return { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off', ...env }
}

let paths = 0

/** What the people of one organization do with their webhooks, and what happens to it. */
export function verbs(hub: TestHub, receiver: Receiver, owner: Owner) {
  const pathOf = (id: string) => `/api/v1/webhooks/${id}`

  /** A webhook of the organization's, at the receiver under a path of its own. */
  async function endpoint(body: object = {}): Promise<Endpoint> {
    const path = `/${++paths}`
    const created = await owner.post('/api/v1/webhooks', { name: 'CRM', url: receiver.url + path, ...body })
    assert.equal(created.status, 201, created.text)
    const { webhook, secret } = created.body.data
    return { ...webhook, secret, path }
  }

  /** Lets events happen, in one transaction. */
  async function publish(...events: Partial<NewEvent>[]): Promise<void> {
    await hub.sql.begin((tx) => hub.context.publish(tx, events.map(happening)))
  }

  function happening(event: Partial<NewEvent>): NewEvent {
    const common = { organizationId: owner.organizationId, kind: 'account.update', channelId: null } as const
    const content = 'raw' in event ? {} : { data: { change: { field: 'account_update' } } }
    return { ...common, ...content, ...event } as NewEvent
  }

  async function log({ id }: { id: string }): Promise<Delivery[]> {
    const listed = await owner.get(`${pathOf(id)}/deliveries`)
    assert.equal(listed.status, 200, listed.text)
    return listed.body.data.deliveries
  }

  return {
    endpoint,
    publish,
    log,

    /** So many events that every endpoint of all events gets. */
    publishMany: (count: number) => publish(...Array.from({ length: count }, () => ({}))),

    /** The statuses in an endpoint's log, newest first. */
    statuses: async (of: { id: string }) => (await log(of)).map(({ status }) => status),

    /** The only delivery in an endpoint's log. */
    async only(of: { id: string }): Promise<Delivery> {
      const deliveries = await log(of)
      assert.equal(deliveries.length, 1)
      return deliveries[0]!
    },

    async attemptsOf({ id }: { id: string }, delivery: { id: string }): Promise<AttemptRecord[]> {
      const shown = await owner.get(`${pathOf(id)}/deliveries/${delivery.id}`)
      assert.equal(shown.status, 200, shown.text)
      return shown.body.data.attempts
    },

    async show({ id }: { id: string }): Promise<Webhook> {
      return (await owner.get(pathOf(id))).body.data.webhook
    },

    async patch({ id }: { id: string }, body: object): Promise<void> {
      const changed = await owner.patch(pathOf(id), body)
      assert.equal(changed.status, 200, changed.text)
    },

    replay: ({ id }: { id: string }, delivery: { id: string }, as: Client = owner): Promise<Answer> =>
      as.post(`${pathOf(id)}/replay/${delivery.id}`),

    ping: ({ id }: { id: string }, as: Client = owner): Promise<Answer> => as.post(`${pathOf(id)}/test`),

    recover: ({ id }: { id: string }, body: object, as: Client = owner): Promise<Answer> =>
      as.post(`${pathOf(id)}/recover`, body),

    remove: ({ id }: { id: string }): Promise<Answer> => owner.delete(pathOf(id)),

    /** What has arrived at an endpoint, in order. */
    arrived: ({ path }: { path: string }): Received[] => receiver.received.filter((one) => one.path === path),
  }
}

/** Asks until it is so; for what another part of the hub does in its own time. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 5000; looks++) if (await isSo()) return
  throw new Error('It never came to be so')
}

/** The members of a body in the envelope. */
export function envelopeOf({ body }: Received) {
  return JSON.parse(body.toString()) as {
    id: string
    event: string
    channel_id: string | null
    occurred_at: string
    data: Record<string, unknown>
  }
}

export function kindsOf(received: Received[]): string[] {
  return received.map((one) => envelopeOf(one).event)
}
