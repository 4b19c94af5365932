import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Client } from '../../../../../test/client.ts'
import { startHub, type TestHub } from '../../../../../test/hub.ts'
import type { Lookup } from '../../../../kernel/net/lookup.ts'
import { PAUSE_AT, SPACED_FROM } from '../failure-count.ts'
import type { Webhook } from '../schemas.ts'

export const URL = 'https://hooks.example.com/in'

type Options = NonNullable<Parameters<typeof startHub>[1]>

const resolveToOne: Lookup = async () => [{ address: '93.184.216.34', family: 4 }]

/** A hub for which every name resolves to one public address by default. */
export function startWithDns(t: TestContext, options: Options = {}): Promise<TestHub> {
  return startHub(t, { lookup: resolveToOne, ...options })
}

export async function createWebhook(owner: Client, body: object = {}): Promise<Webhook> {
  return (await createWithSecret(owner, body)).webhook
}

export async function createWithSecret(
  owner: Client,
  body: object = {},
): Promise<{ webhook: Webhook; secret: string }> {
  const created = await owner.post('/api/v1/webhooks', { name: 'CRM', url: URL, ...body })
  assert.equal(created.status, 201, created.text)
  return created.body.data
}

export async function getWebhook(owner: Client, id: string): Promise<Webhook> {
  const got = await owner.get(`/api/v1/webhooks/${id}`)
  assert.equal(got.status, 200, got.text)
  return got.body.data.webhook
}

export type EndpointRow = {
  secret: string
  version: number
  generation: number
  canceled_generation: number
  paused_at: string | null
  status: string
  updated_at: string
}

/** An endpoint's row, for columns that no response shows. */
export async function readRow(hub: TestHub, id: string): Promise<EndpointRow> {
  const [row] = await hub.sql<EndpointRow[]>`
    select secret, version, generation, canceled_generation, paused_at, status, updated_at
    from webhook_endpoints
    where id = ${id}`
  if (!row) throw new Error('There is no such endpoint')
  return row
}

/** Sets an endpoint's consecutive failures, of a run that began an hour ago; spaced attempts go on after `wait`. */
export async function setFailures(
  hub: TestHub,
  organizationId: string,
  id: string,
  failures: number,
  wait = '0 seconds',
): Promise<void> {
  const isSpaced = failures >= SPACED_FROM && failures < PAUSE_AT
  await hub.sql`
    insert into webhook_endpoint_health
      (organization_id, endpoint_id, consecutive_failures, run_started_at, next_attempt_at)
    values (${organizationId}, ${id}, ${failures}, hub_now() - interval '1 hour',
      case when ${isSpaced} then hub_now() + ${wait}::interval end)
    on conflict (organization_id, endpoint_id) do update
    set consecutive_failures = excluded.consecutive_failures, run_started_at = excluded.run_started_at,
        next_attempt_at = excluded.next_attempt_at`
}

/** The secret that the hub signs with. */
export async function readSecret(hub: TestHub, organizationId: string, id: string): Promise<string | undefined> {
  const place = { table: 'webhook_endpoints', column: 'secret', organizationId, rowId: id }
  return hub.context.sealing.open((await readRow(hub, id)).secret, place)
}

/** Inserts many channels with one statement. */
export async function createChannels(hub: TestHub, organizationId: string, count: number): Promise<string[]> {
  const rows = await hub.sql<{ id: string }[]>`
    insert into channels (organization_id, id, name)
    select ${organizationId}, hub_id(), 'many'
    from generate_series(1, ${count})
    returning id`
  return rows.map(({ id }) => id)
}
