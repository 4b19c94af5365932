import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { type Received, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import type { NewEvent } from '../../events/catalog.ts'
import { RUN_SECONDS_MIN, SPACED_FROM } from '../endpoints/failure-count.ts'
import type { Webhook } from '../endpoints/schemas.ts'
import type { AttemptRecord, Delivery } from '../log/schemas.ts'

export type Owner = Client & { organizationId: string }
export type Endpoint = Webhook & { secret: string; path: string }
type Options = NonNullable<Parameters<typeof startHub>[1]>

export type WebhookFixture = Awaited<ReturnType<typeof startWebhooks>>

/** A hub, a receiver that it may call, and an organization with requests for its webhooks. */
export async function startWebhooks(t: TestContext, options: Options = {}) {
  const receiver = await startReceiver(t)
  const hub = await startSecondHub(t, receiver, options)
  // The tests of a file share a database, so earlier tests may have left deliveries.
  await hub.sql`delete from deferred_fan_outs`
  await hub.sql`delete from delivery_queue`
  const acme = await hub.organization()
  return { hub, receiver, acme, ...createRequests(hub, receiver, acme) }
}

/** The same with an upstream, so that channels of the organization can be connected. */
export async function startWithUpstream(t: TestContext) {
  const receiver = await startReceiver(t)
  const fixture = await startHubWithUpstream(t, { env: buildEnv(receiver) })
  const { hub } = fixture
  await hub.sql`delete from deferred_fan_outs`
  await hub.sql`delete from delivery_queue`
  const acme = await hub.organization()
  return { ...fixture, receiver, acme, ...createRequests(hub, receiver, acme) }
}

/** A second hub on the same database, as another process would be. */
export async function startSecondHub(t: TestContext, receiver: Receiver, options: Options = {}): Promise<TestHub> {
  const role = options.isDelivering ? {} : WITHOUT_TIMERS
  return startHub(t, { ...options, env: buildEnv(receiver, { ...role, ...options.env }) })
}

/** With ROLE=api a hub runs none of the shared jobs, so the test decides when they run. */
export const WITHOUT_TIMERS = {
  ROLE: 'api',
  DATABASE_URL: 'postgres://not.used/',
  SEALING_KEYS: `not-used:${Buffer.alloc(32).toString('base64')}`,
  UPSTREAM_URL: 'http://not.used',
  UPSTREAM_APP_ID: '0',
  UPSTREAM_APP_SECRET: 'not used',
  UPSTREAM_CONFIG_ID: '0',
  UPSTREAM_VERIFY_TOKEN: 'not used',
}

/** The environment of a hub that may call the receiver and has no quotas. */
export function buildEnv(receiver: Receiver, env: Record<string, string> = {}): Record<string, string> {
  return { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off', ...env }
}

let paths = 0

/** Requests of one organization for its webhooks, and their effects. */
export function createRequests(hub: TestHub, receiver: Receiver, owner: Owner) {
  const buildPath = (id: string) => `/api/v1/webhooks/${id}`

  /** Creates a webhook with its own path at the receiver. */
  async function endpoint(body: object = {}): Promise<Endpoint> {
    const path = `/${++paths}`
    const created = await owner.post('/api/v1/webhooks', { name: 'CRM', url: receiver.url + path, ...body })
    assert.equal(created.status, 201, created.text)
    const { webhook, secret } = created.body.data
    return { ...webhook, secret, path }
  }

  /** Publishes events in one transaction. */
  async function publish(...events: Partial<NewEvent>[]): Promise<void> {
    await hub.sql.begin((tx) => hub.context.publish(tx, events.map(toEvent)))
  }

  function toEvent(event: Partial<NewEvent>): NewEvent {
    const common = { organizationId: owner.organizationId, kind: 'account.update', channelId: null } as const
    const content = 'raw' in event ? {} : { data: { change: { field: 'account_update' } } }
    return { ...common, ...content, ...event } as NewEvent
  }

  async function log({ id }: { id: string }): Promise<Delivery[]> {
    const listed = await owner.get(`${buildPath(id)}/deliveries`)
    assert.equal(listed.status, 200, listed.text)
    return listed.body.data.deliveries
  }

  return {
    endpoint,
    publish,
    log,

    /** Publishes `count` events of the default kind. */
    publishMany: (count: number) => publish(...Array.from({ length: count }, () => ({}))),

    /** The statuses in an endpoint's log, newest first. */
    statuses: async (of: { id: string }) => (await log(of)).map(({ status }) => status),

    /** The only delivery in an endpoint's log. */
    async only(of: { id: string }): Promise<Delivery> {
      const deliveries = await log(of)
      assert.equal(deliveries.length, 1)
      return deliveries[0]!
    },

    async listAttempts({ id }: { id: string }, delivery: { id: string }): Promise<AttemptRecord[]> {
      const shown = await owner.get(`${buildPath(id)}/deliveries/${delivery.id}`)
      assert.equal(shown.status, 200, shown.text)
      return shown.body.data.attempts
    },

    async show({ id }: { id: string }): Promise<Webhook> {
      return (await owner.get(buildPath(id))).body.data.webhook
    },

    async patch({ id }: { id: string }, body: object): Promise<void> {
      const changed = await owner.patch(buildPath(id), body)
      assert.equal(changed.status, 200, changed.text)
    },

    replay: ({ id }: { id: string }, delivery: { id: string }, as: Client = owner): Promise<Answer> =>
      as.post(`${buildPath(id)}/replay/${delivery.id}`),

    retry: ({ id }: { id: string }, delivery: { id: string }, as: Client = owner): Promise<Answer> =>
      as.post(`${buildPath(id)}/deliveries/${delivery.id}/retry`),

    sendTest: ({ id }: { id: string }, as: Client = owner): Promise<Answer> => as.post(`${buildPath(id)}/test`),

    recover: ({ id }: { id: string }, body: object, as: Client = owner): Promise<Answer> =>
      as.post(`${buildPath(id)}/recover`, body),

    remove: ({ id }: { id: string }): Promise<Answer> => owner.delete(buildPath(id)),

    /** The requests that an endpoint has received, in order. */
    arrived: ({ path }: { path: string }): Received[] => receiver.received.filter((one) => one.path === path),
  }
}

/** Makes an endpoint fail this many times in a row. From the fifth failure on, each attempt waits for its turn. */
export async function failTimes(
  { hub, receiver, publish, publishMany }: Pick<WebhookFixture, 'hub' | 'receiver' | 'publish' | 'publishMany'>,
  count: number,
): Promise<void> {
  const atOnce = Math.min(count, SPACED_FROM - 1)
  receiver.answer(500)
  await publishMany(atOnce)
  await hub.deliver()
  for (let failures = atOnce; failures < count; failures++) {
    if (failures >= SPACED_FROM) await hub.clock.advance(`${RUN_SECONDS_MIN} seconds`)
    await publish({})
    await hub.deliver()
  }
}

/** Checks a condition until it is true, for effects of background work. */
export async function eventually(isTrue: () => Promise<boolean>): Promise<void> {
  for (let checks = 0; checks < 5000; checks++) if (await isTrue()) return
  throw new Error('The condition never became true')
}

/** The envelope in a request body. */
export function parseEnvelope({ body }: Received) {
  return JSON.parse(body.toString()) as {
    id: string
    event: string
    channel_id: string | null
    occurred_at: string
    data: Record<string, unknown>
  }
}

export function listKinds(received: Received[]): string[] {
  return received.map((one) => parseEnvelope(one).event)
}
