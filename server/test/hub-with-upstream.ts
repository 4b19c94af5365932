import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Pool, Tx } from '../src/kernel/db/pool.ts'
import type { Answer, Client } from './client.ts'
import { waitForHeldRequests } from './held-requests.ts'
import { startHub } from './hub.ts'
import type { SeededNumber, Upstream } from './upstream.ts'

export const PIN = '123456'

export type HubWithUpstream = Awaited<ReturnType<typeof startHubWithUpstream>>
export type UpstreamRequest = {
  method: string
  path: string
  params: Record<string, unknown>
  status: number | null
  token_in: string
}
export type RecordedEvent = { kind: string; data: { channel: Record<string, unknown>; reason: string | null } }

type NumberOptions = Parameters<Upstream['number']>[0]
type HubOptions = Parameters<typeof startHub>[1]
/** `isCalledBack`: whether the upstream sends callbacks to the hub. */
type WorldOptions = HubOptions & { isCalledBack?: boolean }

/** A hub with a simulated upstream, and functions that connect a channel to a number. */
export async function startHubWithUpstream(t: TestContext, { isCalledBack = true, ...options }: WorldOptions = {}) {
  const hub = await startHub(t, { hasUpstream: true, ...options })
  const up = hub.upstream as Upstream
  if (isCalledBack) {
    const url = `${hub.url}/hooks/upstream`
    await up.simulator.control('PUT', '/callback', { url, verify_token: up.simulator.verifyToken })
  }

  /** The upstream's requests in order: all of them, or those of one path. */
  async function requests(path = ''): Promise<UpstreamRequest[]> {
    const log = await up.simulator.control<{ requests: UpstreamRequest[] }>('GET', '/requests')
    return log.requests.filter((request) => request.path.includes(path))
  }

  async function fault(kind: string, path: string, more: Record<string, string | number | null> = {}): Promise<void> {
    await up.simulator.control('POST', '/faults', { kind, path, ...more })
  }

  async function liftFaults(): Promise<void> {
    await waitForHeldRequests(up)
    await up.simulator.control('DELETE', '/faults')
  }

  /** Posts a finished sign-up to a link. */
  async function post(link: string, number: { wabaId: string }, more: Record<string, unknown> = {}): Promise<Answer> {
    const code = more.code ?? (await up.signUpCode(number.wabaId))
    return hub.anonymous.post(`/api/v1/connect/${link}`, { waba_id: number.wabaId, ...more, code })
  }

  /** A channel of `owner`, connected to a new number or to the given one. */
  async function connect(owner: Client, options: NumberOptions & { number?: SeededNumber; body?: object } = {}) {
    const { number: given, body, ...numberOptions } = options
    const number = given ?? (await up.number(numberOptions))
    const channel = await createChannel(owner, body)
    const link = await createLink(owner, channel.id)
    const answer = await post(link, number, { pin: PIN })
    assert.equal(answer.status, 200, answer.text)
    return { ...channel, number, link, channel: answer.body.data.channel }
  }

  /** Changes the status of the channel's number, lets the hub check it, and restores the number. */
  async function move(owner: { organizationId: string }, channel: { id: string; number: SeededNumber }, to: string) {
    const path = `/numbers/${channel.number.phoneNumberId}`
    await up.simulator.control('PATCH', path, { status: to })
    await hub.context.health.check({ organizationId: owner.organizationId, id: channel.id })
    await up.simulator.control('PATCH', path, { status: 'CONNECTED' })
  }

  return { up, hub, requests, fault, liftFaults, post, connect, move }
}

export async function createChannel(owner: Client, body: object = {}): Promise<{ id: string; token: string }> {
  const created = await owner.post('/api/v1/channels', { name: 'Padaria', ...body })
  assert.equal(created.status, 201, created.text)
  return created.body.data.channel
}

/** The token in a new connect link of a channel. */
export async function createLink(owner: Client, channelId: string, options?: object): Promise<string> {
  const created = await owner.post(`/api/v1/channels/${channelId}/connect-link`, options)
  assert.equal(created.status, 201, created.text)
  return readLinkToken(created.body.data.connect_url)
}

export function readLinkToken(connectUrl: string): string {
  return connectUrl.split('/').at(-1) ?? ''
}

/** The channel's events, in the order in which they were recorded. */
export async function listEvents(sql: Pool, channelId: string): Promise<RecordedEvent[]> {
  return sql<RecordedEvent[]>`
    select kind, convert_from(body, 'UTF8')::json -> 'data' as data
    from events
    where channel_id = ${channelId}
      and kind <> 'upstream.raw'
    order by id`
}

/** The audit entries of one target, oldest first. */
export async function listAuditEntries(owner: Client, targetId: string) {
  const page = await owner.get(`/api/v1/audit-log?target_id=${targetId}&limit=100`)
  return page.body.data.entries.toReversed() as {
    action: string
    actor: { type: string; id: string | null; name: string | null }
    details: Record<string, unknown>
    request_id: string | null
  }[]
}

/** The stored row of a channel, for columns that no response contains. */
export async function readChannelRow(sql: Pool, channelId: string) {
  const [row] = await sql<{ access_token: string | null; status: string; phone_number_id: string | null }[]>`
    select access_token, status, phone_number_id from channels where id = ${channelId}`
  if (!row) throw new Error('There is no such channel')
  return row
}

/** Waits until `count` statements of this database wait for a lock. */
export async function waitUntilBlocked(sql: Pool, count: number): Promise<void> {
  for (let looks = 0; looks < 5000; looks++) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::int as waiting
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row && row.waiting >= count) return
  }
  throw new Error(`There were never ${count} statements waiting for a lock`)
}

type Work = (tx: Tx) => Promise<unknown>

/** Keeps a transaction open, with its locks, until `release`, which runs `last` in it and commits. */
export async function holdTransaction(sql: Pool, work: Work, last: Work = async () => undefined) {
  const { promise: end, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const done = sql.begin(async (tx) => {
    await work(tx)
    begin()
    await end
    await last(tx)
  })
  await Promise.race([begun, done])
  return {
    async release(): Promise<void> {
      letGo()
      await done
    },
  }
}
