import assert from 'node:assert/strict'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import { newId, toFirstId } from '../../server/src/kernel/ids.ts'
import { buildCallback, buildChange } from '../callbacks.ts'
import type { Post } from '../load-process.ts'
import type { GrowthHub } from './growth-hub.ts'
import { listListenerSteps } from './listeners.ts'
import { COMMON } from './report.ts'
import { listSignIns } from './sign-ins.ts'
import type { Step } from './step.ts'

const DAY_MS = 86_400_000
const TIMES = 10
/** The outbound messages of a channel are this far apart in the filled log. */
const OUTBOUND_EVERY = 20

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

/** A number that differs each time, and the rows of the logs at the smaller size. */
export type Round = { round: number; rows: number }

/** Lists the steps of a hub's day, in the same amount at every size. */
export async function listSteps(sql: Pool, growth: GrowthHub, round: Round): Promise<Step[]> {
  return [
    listCommonStep(growth),
    ...listLogSteps(growth),
    ...listOtherReads(growth),
    ...listPeopleReads(growth, round),
    ...(await listDeliveryReads(sql, growth)),
    ...listSends(growth),
    ...listCallbacks(growth, round),
    ...listChanges(growth),
    ...(await listReplays(sql, growth)),
    ...listListenerSteps(growth),
    ...(await listSignIns(sql, growth)),
    { name: 'deliver', times: 1, run: () => growth.hub.context.engine.deliverDue() },
    ...growth.hub.jobs.map(({ name, run }) => ({ name: `job ${name}`, times: 1, run })),
  ]
}

function pick<T>(items: readonly T[], i: number): T {
  const item = items[i % items.length]
  if (item === undefined) throw new Error('The list is empty')
  return item
}

function read({ request }: GrowthHub, name: string, toPath: (i: number) => string): Step {
  return { name, times: TIMES, run: (i) => request('GET', toPath(i)) }
}

/** Authentication by a key and by a session, with their limits. Single rows move within the blocks of a small table. */
function listCommonStep({ request }: GrowthHub): Step {
  async function run(): Promise<void> {
    await request('GET', '/api/v1/usage')
    await request('GET', '/console/session')
  }
  return { name: COMMON, times: 10 * TIMES, run }
}

/** The first page and one from the middle of the log, with every filter. */
function listLogSteps(growth: GrowthHub): Step[] {
  const { tenant, encodeCursor } = growth
  const { organizationId, channelIds } = tenant
  const middle = toFirstId(daysAgo(17))
  const messageFilters = [
    {},
    { direction: 'inbound' },
    { direction: 'outbound' },
    { status: 'delivered' },
    { status: 'failed' },
    { status: 'read' },
    { direction: 'outbound', status: 'delivered' },
  ] as { direction?: string; status?: string }[]
  const messages = messageFilters.flatMap((filter) => {
    const toPath = (i: number) => `/api/v1/channels/${pick(channelIds, i)}/messages?${toQuery(filter)}`
    const toList = (i: number) => [
      'messages',
      organizationId,
      pick(channelIds, i),
      filter.direction ?? null,
      filter.status ?? null,
    ]
    return [
      read(growth, `messages ${toQuery(filter)}`, toPath),
      read(
        growth,
        `messages ${toQuery(filter)}, deep`,
        (i) => `${toPath(i)}&cursor=${encodeCursor(middle, toList(i))}`,
      ),
    ]
  })
  const auditFilters = [
    {},
    { action: 'webhook.replayed' },
    { action: 'member.removed' },
    { actor_id: 'common' },
    { actor_id: 'rare' },
    { target_id: 'rare' },
    { target_id: 'absent' },
    // No entry has both of the first three pairs.
    { action: 'member.removed', actor_id: 'rare' },
    { action: 'member.removed', target_id: 'rare' },
    { actor_id: 'rare', target_id: 'rare' },
    { action: 'webhook.replayed', actor_id: 'common', target_id: 'rare' },
    { action: 'member.removed', actor_id: 'common', until: daysAgo(1).toISOString() },
    { since: daysAgo(3).toISOString() },
    { until: daysAgo(20).toISOString() },
  ] as Record<string, string>[]
  const entries = auditFilters.flatMap((filter) => {
    const path = `/api/v1/audit-log?${toQuery(filter)}`
    const filters = ['action', 'actor_id', 'target_id', 'since', 'until'].map((name) => filter[name] ?? null)
    const cursor = encodeCursor(middle, ['audit', organizationId, ...filters])
    const name = Object.entries(filter).map(([key, value]) => (value.length > 20 ? key : `${key}=${value}`))
    const first = read(growth, `audit log ${name.join('&')}`, () => path)
    const deep = read(growth, `audit log ${name.join('&')}, deep`, () => `${path}&cursor=${cursor}`)
    return filter.since ? [first] : [first, deep]
  })
  return [...messages, ...entries]
}

function toQuery(filter: Record<string, string>): string {
  return new URLSearchParams({ limit: '10', ...filter }).toString()
}

function listOtherReads(growth: GrowthHub): Step[] {
  const { channelIds, endpointIds } = growth.tenant
  const paths = [
    '/api/v1/channels',
    '/api/v1/webhooks',
    '/api/v1/subscription',
    '/console/sessions',
    '/console/organizations',
    '/console/members',
    '/console/statistics?range=24h',
    '/console/statistics?range=30d',
    '/console/endpoint-statistics?range=24h',
    '/console/channel-activity',
    '/console/attention',
    ...['channel', 'category', 'country', 'day'].map(
      (group) => `/api/v1/usage/costs?group_by=${group}&since=${toDay(daysAgo(30))}&until=${toDay(daysAgo(-1))}`,
    ),
    ...['', '?status=404', '?status=5xx', '?route=/api/v1/none', '?method=POST', '/errors'].map(
      (query) => `/console/organizations/${growth.tenant.organizationId}/requests${query}`,
    ),
    '/ready',
    '/metrics',
  ]
  return [
    ...paths.map((path) => read(growth, path, () => path)),
    ...['/api/v1/api-keys', '/console/invitations'].map((path) => ({
      name: `${path} in pages`,
      times: TIMES,
      async run() {
        let cursor: unknown
        for (let page = 0; page < 4; page++) {
          const { data } = await growth.request('GET', `${path}?limit=5${cursor ? `&cursor=${cursor}` : ''}`)
          cursor = data.next_cursor
        }
      },
    })),
    read(growth, 'channel', (i) => `/api/v1/channels/${pick(channelIds, i)}`),
    read(growth, 'webhook', (i) => `/api/v1/webhooks/${pick(endpointIds, i)}`),
    read(growth, 'pauses', (i) => `/api/v1/webhooks/${pick(endpointIds, i)}/pauses`),
    read(growth, 'diagnostics', (i) => `/api/v1/channels/${pick(channelIds, i)}/diagnostics`),
  ]
}

/**
 * One person by each name that a search knows, and filters that no index answers, which end after a number of rows. The
 * person with the number `c` writes in the channel with the number `c % 10`.
 */
function listPeopleReads(growth: GrowthHub, { rows }: Round): Step[] {
  const { channelIds } = growth.tenant
  // The smaller size has a tenth as many people as rows.
  const toPerson = (i: number) => Math.floor(rows / 100) * 5 + (i % TIMES)
  const pad = (n: number, length: number) => String(n).padStart(length, '0')
  const inChannel = (i: number, filter: Record<string, string>) =>
    `/api/v1/channels/${pick(channelIds, i)}/messages?${toQuery(filter)}`
  const inConsole = (filter: Record<string, string>) => `/console/messages?${toQuery(filter)}`
  const times = { since: daysAgo(20).toISOString(), until: daysAgo(19).toISOString() }
  const filters: Record<string, (i: number) => Record<string, string>> = {
    'person by number': (i) => ({ person: `551199${pad(toPerson(i), 7)}` }),
    'person by number without the ninth digit': (i) => ({ person: `55119${pad(toPerson(i), 7)}` }),
    'person by user id': (i) => ({ person: `BR.${toPerson(i)}` }),
    'type that is rare': () => ({ type: 'image' }),
    'since and until': () => times,
  }
  const ofConsole: Record<string, (i: number) => Record<string, string>> = {
    'name of one person': (i) => ({ name: `Ana ${pad(toPerson(i), 10)}` }),
    'username of one person': (i) => ({ name: `ana_${pad(toPerson(i), 10)}` }),
    'end of a number': (i) => ({ number_end: pad(toPerson(i), 7) }),
    'several statuses': () => ({ status: 'failed,read' }),
  }
  return [
    ...Object.entries(filters).flatMap(([name, toFilter]) => [
      read(growth, `messages, ${name}`, (i) => inChannel(i, toFilter(i))),
      read(growth, `console messages, ${name}`, (i) => inConsole(toFilter(i))),
    ]),
    ...Object.entries(ofConsole).map(([name, toFilter]) =>
      read(growth, `console messages, ${name}`, (i) => inConsole(toFilter(i))),
    ),
    {
      name: 'console messages, name of everybody',
      times: TIMES,
      run: () => assert.rejects(growth.request('GET', inConsole({ name: 'ana' })), /More than 100 people match/),
    },
    read(growth, 'messages, upstream id', (i) => inChannel(i, { upstream_message_id: `wamid.${i + OUTBOUND_EVERY}` })),
    read(growth, 'messages, key', (i) => inChannel(i, { idempotency_key: `order-${i + OUTBOUND_EVERY}` })),
  ]
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** One delivery of each endpoint, from another day each. */
async function listFilled(sql: Pool, { tenant }: GrowthHub) {
  const found: { id: string; endpointId: string }[] = []
  for (const [i, endpointId] of tenant.endpointIds.entries()) {
    const [row] = await sql<{ id: string }[]>`
      select id
      from deliveries
      where organization_id = ${tenant.organizationId}
        and endpoint_id = ${endpointId}
        and id >= ${toFirstId(daysAgo(30 - i))}
        and status = 'succeeded'
      order by id
      limit 1`
    if (!row) throw new Error('The endpoint has no deliveries')
    found.push({ id: row.id, endpointId })
  }
  return found
}

async function listDeliveryReads(sql: Pool, growth: GrowthHub): Promise<Step[]> {
  const filled = await listFilled(sql, growth)
  return [
    read(growth, 'deliveries', (i) => `/api/v1/webhooks/${pick(growth.tenant.endpointIds, i)}/deliveries`),
    read(growth, 'delivery', (i) => `/api/v1/webhooks/${pick(filled, i).endpointId}/deliveries/${pick(filled, i).id}`),
  ]
}

function listSends({ tenant, request }: GrowthHub): Step[] {
  const keys = Array.from({ length: TIMES }, newId)
  async function run(i: number): Promise<void> {
    const message = { to: String(5_511_900_000_000 + i), type: 'text', text: { body: 'O pedido chegou.' } }
    const headers = { 'idempotency-key': pick(keys, i) }
    await request('POST', `/api/v1/channels/${pick(tenant.channelIds, i)}/messages`, message, headers)
  }
  return [
    { name: 'send', times: TIMES, run },
    { name: 'send again', times: TIMES, run },
  ]
}

/** New messages, statuses of messages from every day of the log, and repeats of both. */
function listCallbacks({ hub, numbers }: GrowthHub, { round, rows }: Round): Step[] {
  const toMessage = (i: number) => buildCallback(pick(numbers, i), [buildChange(pick(numbers, i), i)])
  const toStatus = (i: number) => {
    const n = (i % numbers.length) + OUTBOUND_EVERY * (Math.floor((i * rows) / OUTBOUND_EVERY / TIMES) + round)
    return buildCallback(pick(numbers, i), [buildStatus(pick(numbers, i).phoneNumberId, `wamid.${n}`)])
  }
  const messages = Array.from({ length: TIMES }, (_, i) => toMessage(i))
  // These are callbacks of one number: the callbacks before these have changed the others.
  const [number] = numbers
  const spread = Array.from({ length: TIMES }, (_, i) =>
    buildCallback(
      pick(numbers, 0),
      Array.from({ length: TIMES }, (_, day) => {
        const n = OUTBOUND_EVERY * (Math.floor((day * rows) / OUTBOUND_EVERY / TIMES) + TIMES * (round + 1) + i)
        return buildStatus(number?.phoneNumberId ?? '', `wamid.${n % rows}`)
      }),
    ),
  )
  const statuses = Array.from({ length: TIMES }, (_, i) => toStatus(i))
  async function post({ path, headers, body }: Post): Promise<void> {
    const { status } = await fetch(hub.url + path, { method: 'POST', headers, body })
    if (status !== 200) throw new Error(`A callback was answered ${status}`)
  }
  return [
    { name: 'callback, message', times: TIMES, run: (i) => post(pick(messages, i)) },
    { name: 'callback, status', times: TIMES, run: (i) => post(pick(statuses, i)) },
    { name: 'callback, statuses of many days', times: TIMES, run: (i) => post(pick(spread, i)) },
    { name: 'callback, repeated message', times: TIMES, run: (i) => post(pick(messages, i)) },
    { name: 'callback, repeated status', times: TIMES, run: (i) => post(pick(statuses, i)) },
  ]
}

function buildStatus(phoneNumberId: string, wamid: string) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const metadata = { display_phone_number: '5511900000000', phone_number_id: phoneNumberId }
  const statuses = [{ id: wamid, status: 'read', timestamp, recipient_id: '5511911111111' }]
  return { field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses } }
}

function isCreated(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value
}

/** Creates something and ends it again, so that the lists stay as long as they are. */
function listChanges({ tenant, receiverUrl, request }: GrowthHub): Step[] {
  async function createAndEnd(path: string, body: object, toEnd: (id: string) => [method: string, path: string]) {
    const { data } = await request('POST', path, body)
    const [created] = Object.values(data).filter(isCreated)
    if (!created) throw new Error(`POST ${path} created nothing`)
    await request(...toEnd(created.id))
  }
  const changes: Record<string, (i: number) => Promise<unknown>> = {
    'API key': () =>
      createAndEnd('/api/v1/api-keys', { name: 'growth', scopes: ['audit:read'] }, (id) => [
        'POST',
        `/api/v1/api-keys/${id}/revoke`,
      ]),
    webhook: () =>
      createAndEnd('/api/v1/webhooks', { name: 'growth', url: receiverUrl }, (id) => [
        'DELETE',
        `/api/v1/webhooks/${id}`,
      ]),
    channel: () => createAndEnd('/api/v1/channels', { name: 'growth' }, (id) => ['DELETE', `/api/v1/channels/${id}`]),
    invitation: () =>
      createAndEnd('/console/invitations', { email: 'eve@growth.example', role: 'viewer' }, (id) => [
        'DELETE',
        `/console/invitations/${id}`,
      ]),
    'connect link': (i) => request('POST', `/api/v1/channels/${pick(tenant.channelIds, i)}/connect-link`),
  }
  return Object.entries(changes).map(([name, run]) => ({ name: `change of ${name}`, times: TIMES, run }))
}

/** Each endpoint recovers once: half of them the last hour, the others thirty days. */
async function listReplays(sql: Pool, growth: GrowthHub): Promise<Step[]> {
  const { tenant, request } = growth
  const filled = await listFilled(sql, growth)
  const recover = (endpointId: string, since: Date) =>
    request('POST', `/api/v1/webhooks/${endpointId}/recover`, { since: since.toISOString() })
  return [
    {
      name: 'replay',
      times: TIMES,
      run: (i) => request('POST', `/api/v1/webhooks/${pick(filled, i).endpointId}/replay/${pick(filled, i).id}`),
    },
    {
      name: 'test event',
      times: TIMES,
      run: (i) => request('POST', `/api/v1/webhooks/${pick(tenant.endpointIds, i)}/test`),
    },
    { name: 'recover an hour', times: TIMES, run: (i) => recover(pick(tenant.endpointIds, i), daysAgo(1 / 24)) },
    { name: 'recover 30 days', times: TIMES, run: (i) => recover(pick(tenant.endpointIds, TIMES + i), daysAgo(30)) },
  ]
}
