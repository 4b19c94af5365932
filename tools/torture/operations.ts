import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Caller } from './client.ts'
import type { Hub, Installation, Person } from './installation.ts'
import { createRandom } from './random.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { UpstreamNumber } from './upstream-process.ts'

export type Channel = { id: string; number: UpstreamNumber }
export type Endpoint = { id: string; path: string; isSteady: boolean }
export type Tenant = Person & { name: string; key: string; channels: Channel[]; endpoints: Endpoint[] }
/** A tenant with so many endpoints that each of its events is delivered in steps. */
export type Crowd = { tenant: Tenant; paths: Map<string, string>; written: number }
export type Erasure = { tenant: Tenant; id: string }
export type Sent = { tenant: Tenant; channel: Channel; key: string; to: string }

const TENANTS = 3
const STEADY_ENDPOINTS = 2
const ENDPOINTS_MAX = 6
const CROWD = { few: 100, many: 1000, keys: 10, atOnce: 5 }
/** Many endpoints and erasures take a minute or two of their own. */
const LONG_RUN_MS = 60_000
const SET_UP_TRIES = 20
/** The job that looks for dead processes needs up to 5 s. */
const REPEATS = 3
const REPEAT_MS = 2500
const LIMITED_MS = 1000
const RECOVERED_MS = 600_000

/** A delivery in one of these states has not ended. */
export const OPEN = new Set(['pending', 'processing', 'retry'])

const OPERATIONS = {
  send: 44,
  'send at once': 10,
  'repeat a send': 16,
  'customer writes': 24,
  'status storm': 1,
  'create an endpoint': 3,
  'pause or resume an endpoint': 4,
  'rotate a secret': 4,
  'delete or disable an endpoint': 2,
  replay: 3,
  recover: 1,
  'change a plan': 2,
  'test an endpoint': 2,
  'read the log': 5,
  'revoke a key': 1,
  'erase a person': 1,
  'customer writes to many endpoints': 1,
}
export type Operation = { kind: keyof typeof OPERATIONS; atMs: number; pick: number; again: number; n: number }

/** The operations of a seed, with their times. */
export function planOperations(seed: number, { runMs, perSecond }: { runMs: number; perSecond: number }): Operation[] {
  const random = createRandom(seed, 'operations')
  const count = Math.floor((runMs / 1000) * perSecond)
  const weights = { ...OPERATIONS, 'erase a person': runMs < LONG_RUN_MS ? 0 : OPERATIONS['erase a person'] }
  const times = Array.from({ length: count }, () => random.between(0, runMs)).sort((a, b) => a - b)
  return times.map((atMs, n) => ({
    kind: random.choose(weights),
    atMs,
    n,
    pick: random.next(),
    again: random.next(),
  }))
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** Tenants with channels and endpoints, and the operations on them. */
export async function createWorld(installation: Installation, call: Caller, runMs: number) {
  const apis = installation.hubs.filter(({ role }) => role === 'api')
  const sent: Sent[] = []
  const people: { tenant: Tenant; phone: string }[] = []
  const erasures: Erasure[] = []
  /** Deliveries that a list showed before they had ended, by the path of their endpoint. */
  const shownOpen = new Map<string, Set<string>>()
  let turn = 0
  const subscriptions = createSubscriptions<Tenant>({
    ask: (tenant, kind, method, path, { body, key } = {}) =>
      key === undefined
        ? request(tenant, kind, method, path, body)
        : request(tenant, kind, method, path, body, { plan: key }, { headers: { 'idempotency-key': key } }),
    pay: installation.pay,
  })
  const names = Array.from({ length: TENANTS }, (_, n) => `tenant-${n + 1}`)
  const tenants = await Promise.all(names.map((name) => setUpTenant(name)))
  const crowd = await setUpCrowd(`tenant-${TENANTS + 1}`)

  /** The crowd has more endpoints than any plan has, so plans come after it. */
  async function sellPlans(): Promise<void> {
    await installation.sellPlans()
    await Promise.all(tenants.map(subscriptions.buy))
  }

  async function setUpTenant(name: string, steady = STEADY_ENDPOINTS): Promise<Tenant> {
    const tenant: Tenant = { name, ...(await installation.createTenant(name)), channels: [], endpoints: [] }
    const number = await installation.createNumber()
    const created = await request(tenant, 'create a channel', 'POST', '/channels', { name })
    const id = created.body?.data?.channel?.id
    const { accessToken: access_token, wabaId: waba_id, phoneNumberId: phone_number_id } = number
    const body = { access_token, waba_id, phone_number_id }
    const note = { channel: id, phone: phone_number_id }
    const connected = await request(tenant, 'connect a channel', 'POST', `/channels/${id}/connection`, body, note)
    if (connected.status !== 200) throw new Error(`A channel was not connected: ${JSON.stringify(connected)}`)
    tenant.channels.push({ id, number })
    for (let n = 0; n < steady; n++) await createEndpoint(tenant, `steady-${n}`, true)
    if (tenant.endpoints.length < steady) throw new Error('An endpoint was not created')
    return tenant
  }

  /** An API key creates 120 endpoints a minute. */
  async function setUpCrowd(name: string): Promise<Crowd> {
    const tenant = await setUpTenant(name, 0)
    const size = runMs < LONG_RUN_MS ? CROWD.few : CROWD.many
    const keys = [tenant.key]
    while (keys.length < CROWD.keys) keys.push(await installation.createKey(tenant))
    const paths = new Map<string, string>()
    let next = 0
    async function create(): Promise<void> {
      for (let n = next++; n < size; n = next++) {
        const path = `/${name}/crowd-${n}`
        const body = {
          name: `crowd-${n}`,
          url: `${installation.receiverUrl}${path}`,
          event_types: ['message.received'],
        }
        const holder = { ...tenant, key: keys[n % keys.length] as string }
        const note = { path, eventTypes: body.event_types }
        const made = await request(holder, 'create an endpoint', 'POST', '/webhooks', body, note)
        if (made.status !== 201) throw new Error(`An endpoint was not created: ${JSON.stringify(made)}`)
        paths.set(path, made.body.data.webhook.id)
      }
    }
    await Promise.all(Array.from({ length: CROWD.atOnce }, create))
    return { tenant, paths, written: 0 }
  }

  function request(
    tenant: Tenant,
    kind: string,
    method: string,
    path: string,
    body?: object,
    note = {},
    { api, headers = {} }: { api?: Hub; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { url } = api ?? (apis[turn++ % apis.length] as Hub)
    const { name, key } = tenant
    return call({ kind, tenant: name, method, url: `${url}/api/v1${path}`, key, headers, ...(body && { body }), note })
  }

  async function createEndpoint(tenant: Tenant, label: string, isSteady = false): Promise<void> {
    const path = `/${tenant.name}/${label}`
    const body = { name: label, url: `${installation.receiverUrl}${path}` }
    const { status, body: made } = await request(tenant, 'create an endpoint', 'POST', '/webhooks', body, {
      path,
      isSteady,
    })
    if (status === 201) tenant.endpoints.push({ id: made.data.webhook.id, path, isSteady })
  }

  /** Acts as a client does: without an answer it asks the other process, and an unsettled key again after a while. */
  async function sendUntilSettled(one: Sent): Promise<void> {
    const { status } = await send(one, 'send')
    if (status === 0) await send(one, 'send')
    if (status !== 0 && status !== 409) return
    for (let n = 0; n < REPEATS; n++) {
      await delay(REPEAT_MS)
      if ((await send(one, 'send')).status === 202) return
    }
  }

  function send({ tenant, channel, key, to }: Sent, kind: string, api?: Hub): Promise<Answer> {
    const { url } = api ?? (apis[turn++ % apis.length] as Hub)
    return call({
      kind,
      tenant: tenant.name,
      method: 'POST',
      url: `${url}/api/v1/channels/${channel.id}/messages`,
      key: tenant.key,
      headers: { 'idempotency-key': key },
      body: { to, type: 'text', text: { body: `${tenant.name} ${key}` } },
      note: { key },
    })
  }

  async function run({ kind, n, pick, again }: Operation): Promise<void> {
    const tenant = choose(tenants, pick) as Tenant
    const channel = choose(tenant.channels, again) as Channel
    // The steady ones are what the checker relies on: only their secrets change.
    const isChanging = ({ isSteady }: Endpoint) => kind === 'rotate a secret' || !isSteady
    const endpoint = choose(tenant.endpoints.filter(isChanging), again)
    const next: Sent = { tenant, channel, key: `torture-${n}`, to: `55119${String(10_000_000 + n)}` }
    if (kind === 'send') {
      sent.push(next)
      people.push({ tenant, phone: next.to })
      await sendUntilSettled(next)
    } else if (kind === 'send at once') {
      sent.push(next)
      await Promise.all([...apis, ...apis].map((api) => send(next, 'send', api)))
      await sendUntilSettled(next)
    } else if (kind === 'repeat a send') {
      const before = choose(sent, again)
      if (before) await sendUntilSettled(before)
    } else if (kind === 'customer writes') {
      people.push({ tenant, phone: next.to })
      writeAsCustomer(tenant, next.to, n)
    } else if (kind === 'customer writes to many endpoints') {
      crowd.written++
      writeAsCustomer(crowd.tenant, next.to, n)
    } else if (kind === 'erase a person') {
      const person = choose(people, again)
      if (person) await erase(person)
    } else if (kind === 'status storm') installation.tellUpstream({ order: 'storm' })
    else if (kind === 'read the log') await readLog(tenant, channel)
    else if (kind === 'revoke a key') await revokeKey(tenant)
    else if (kind === 'change a plan') await subscriptions.change(tenant, { n, pick, again })
    else if (kind === 'create an endpoint') {
      if (tenant.endpoints.length < ENDPOINTS_MAX) await createEndpoint(tenant, `changing-${n}`)
    } else if (endpoint) await changeEndpoint(tenant, endpoint, { kind, pick, again })
  }

  async function changeEndpoint(
    tenant: Tenant,
    endpoint: Endpoint,
    { kind, pick, again }: Pick<Operation, 'kind' | 'pick' | 'again'>,
  ) {
    const path = `/webhooks/${endpoint.id}`
    const note = { endpoint: endpoint.id }
    if (kind === 'pause or resume an endpoint') {
      const status = pick < 0.5 ? 'paused' : 'active'
      await request(tenant, 'set an endpoint', 'PATCH', path, { status }, { ...note, to: status })
    } else if (kind === 'rotate a secret')
      await request(tenant, 'rotate a secret', 'POST', `${path}/rotate-secret`, undefined, note)
    else if (kind === 'test an endpoint')
      await request(tenant, 'test an endpoint', 'POST', `${path}/test`, undefined, note)
    else if (kind === 'recover') {
      const since = new Date(Date.now() - RECOVERED_MS).toISOString()
      await request(tenant, 'recover', 'POST', `${path}/recover`, { since }, note)
    } else if (kind === 'replay') {
      const { body } = await listDeliveries(tenant, endpoint)
      const source = choose<{ id: string }>(body?.data?.deliveries ?? [], again)
      if (source)
        await request(tenant, 'replay', 'POST', `${path}/replay/${source.id}`, undefined, {
          ...note,
          source: source.id,
        })
    } else if (pick < 0.5)
      await request(tenant, 'set an endpoint', 'PATCH', path, { status: 'disabled' }, { ...note, to: 'disabled' })
    else {
      tenant.endpoints = tenant.endpoints.filter(({ id }) => id !== endpoint.id)
      await request(tenant, 'delete an endpoint', 'DELETE', path, undefined, note)
    }
  }

  function writeAsCustomer(tenant: Tenant, from: string, n: number): void {
    const [channel] = tenant.channels
    const text = `${tenant.name} inbound-${n}`
    if (channel) installation.tellUpstream({ order: 'inbound', number: channel.number, from, text })
  }

  async function erase({ tenant, phone }: { tenant: Tenant; phone: string }): Promise<void> {
    const { status, body } = await ask(tenant, 'erase a person', 'POST', '/erasures', { phone }, { person: phone })
    if (status === 202) erasures.push({ tenant, id: body.data.erasure.id })
  }

  const showErasure = ({ tenant, id }: Erasure) =>
    ask(tenant, 'show an erasure', 'GET', `/erasures/${id}`, undefined, { erasure: id })

  /** As a signed-in person, whose page has the address of the process. */
  function ask(tenant: Tenant, kind: string, method: string, path: string, body?: object, note = {}): Promise<Answer> {
    const { url } = apis[turn++ % apis.length] as Hub
    const { name, cookie, organizationId } = tenant
    const headers = { cookie, origin: url }
    const target = `${url}/console/organizations/${organizationId}${path}`
    return call({ kind, tenant: name, method, url: target, headers, ...(body && { body }), note })
  }

  /** A key that was revoked is refused by every process from then on. */
  async function revokeKey(tenant: Tenant): Promise<void> {
    const body = { name: 'short-lived', scopes: ['channels:read'] }
    const { status, body: made } = await request(tenant, 'create a key', 'POST', '/api-keys', body)
    if (status !== 201) return
    const note = { apiKey: made.data.api_key.id }
    await request(tenant, 'revoke a key', 'POST', `/api-keys/${note.apiKey}/revoke`, undefined, note)
    const holder = { ...tenant, key: made.data.secret }
    for (const api of apis) await request(holder, 'use a key', 'GET', '/channels', undefined, note, { api })
  }

  const readLog = (tenant: Tenant, channel: Channel, cursor = '') =>
    request(tenant, 'read the log', 'GET', `/channels/${channel.id}/messages?limit=100${cursor}`, undefined, {
      channel: channel.id,
    })

  async function listDeliveries(tenant: Tenant, { id, path }: Endpoint): Promise<Answer> {
    const listed = await request(tenant, 'list deliveries', 'GET', `/webhooks/${id}/deliveries`, undefined, {
      endpoint: id,
    })
    for (const delivery of listed.body?.data?.deliveries ?? [])
      if (OPEN.has(delivery.status)) shownOpen.set(path, (shownOpen.get(path) ?? new Set()).add(delivery.id))
    return listed
  }

  /** Repeats a request until it is answered, for the set-up and the end of a run. */
  async function insist(ask: () => Promise<Answer>): Promise<Answer> {
    for (let n = 1; ; n++) {
      const answer = await ask()
      if ((answer.status > 0 && answer.status < 500 && answer.status !== 429) || n === SET_UP_TRIES) return answer
      if (answer.status === 429) await delay(LIMITED_MS)
    }
  }

  return {
    tenants,
    crowd,
    sent,
    erasures,
    shownOpen,
    sellPlans,
    run,
    send,
    readLog,
    listDeliveries,
    showErasure,
    request,
    insist,
  }
}

function choose<T>(list: readonly T[], at: number): T | undefined {
  return list[Math.floor(at * list.length)]
}
