import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { check, readHistory } from './checker.ts'
import type { Answer } from './client.ts'
import type { Installation } from './installation.ts'
import { type Endpoint, OPEN, type Tenant, type World } from './operations.ts'

/** Bounds of the end of a run: what is not done by then is reported as late. */
const CALLBACKS_MS_MAX = 60_000
const KEY_TRIES = 25
const DELIVERIES_MS_MAX = 180_000
/** An erasure waits until the sends and deliveries that it found have ended. */
const ERASURES_MS_MAX = 240_000
const CROWD_LISTS_AT_ONCE = 8
const PAUSE_MS = 1000

type Arrivals = { arrived: Set<string>; taken: Set<string> }
const NO_ARRIVALS: Arrivals = { arrived: new Set(), taken: new Set() }

/** After the faults: lets everything come to its end, asks every key again, and reads the state of all. */
export async function settleRun(world: World, installation: Installation, directory: string): Promise<void> {
  for (const program of [installation.upstream, installation.receivers]) program.tell({ order: 'calm' })
  await drainCallbacks(installation)
  const unknown = await askKeys(world, world.sent)
  await drainCallbacks(installation)
  // The question itself may send, and get no answer in time: the statuses of that send have settled it since.
  await askKeys(world, unknown)
  for (const tenant of world.tenants) {
    for (const endpoint of tenant.endpoints) await resume(world, tenant, endpoint)
  }
  const deadline = Date.now() + DELIVERIES_MS_MAX
  while (((await hastenDeliveries(world, directory, deadline)) > 0 || lacksEvents(directory)) && Date.now() < deadline)
    await delay(PAUSE_MS)
  await listCrowd(world, directory, deadline)
  await awaitErasures(world)
  for (const tenant of [...world.tenants, world.crowd.tenant]) await readTenant(world, tenant)
  await installation.upstream.ask({ order: 'subscriptions' })
  for (const tenant of world.tenants) {
    const note = { organization: tenant.organizationId }
    await world.insist(() => world.request(tenant, 'final subscription', 'GET', '/subscription', undefined, note))
  }
}

/** Until every callback that waits was answered. */
export async function drainCallbacks({ upstream }: Installation): Promise<void> {
  const deadline = Date.now() + CALLBACKS_MS_MAX
  // The statuses of a send begin up to 1.5 s after it.
  await delay(2 * PAUSE_MS)
  while (Number((await upstream.ask({ order: 'drained' })).left) > 0 && Date.now() < deadline) await delay(PAUSE_MS / 4)
}

type Sent = World['sent'][number]

/** Returns those whose result is unknown. */
async function askKeys(world: World, sent: readonly Sent[]): Promise<Sent[]> {
  const unknown: Sent[] = []
  for (const part of chunk([...sent], 6)) {
    const codes = await Promise.all(part.map((one) => askKey(world, one)))
    unknown.push(...part.filter((_one, i) => codes[i] === 'SEND_RESULT_UNKNOWN'))
  }
  return unknown
}

/** Returns the code of the error that is the answer, if it is one. */
async function askKey(world: World, one: Sent): Promise<string | undefined> {
  for (let n = 0; n < KEY_TRIES; n++) {
    const { status, body } = await world.insist(() => world.send(one, 'final send'))
    if (body?.error?.code !== 'OPERATION_IN_PROGRESS' && status < 500 && status !== 0 && status !== 429)
      return body?.error?.code
    await delay(PAUSE_MS)
  }
  return undefined
}

async function resume(world: World, tenant: Tenant, { id }: Endpoint): Promise<void> {
  const path = `/webhooks/${id}`
  const shown = await world.insist(() => world.request(tenant, 'show an endpoint', 'GET', path))
  if (shown.body?.data?.webhook?.status !== 'paused') return
  const note = { endpoint: id, to: 'active' }
  await world.insist(() => world.request(tenant, 'set an endpoint', 'PATCH', path, { status: 'active' }, note))
}

/** Waits until the crowd has its events, and lists the deliveries of each of its endpoints that still lacks one. */
async function listCrowd({ crowd, insist, listDeliveries }: World, directory: string, deadline: number): Promise<void> {
  for (;;) {
    const arrivals = await readArrivals(directory)
    const lacking = [...crowd.paths].filter(([path]) => (arrivals.get(path)?.taken.size ?? 0) < crowd.written)
    if (lacking.length === 0) return
    if (Date.now() > deadline) {
      const endpoints = lacking.map(([path, id]) => ({ id, path, isSteady: true }))
      for (const part of chunk(endpoints, CROWD_LISTS_AT_ONCE))
        await Promise.all(part.map((endpoint) => insist(() => listDeliveries(crowd.tenant, endpoint))))
      return
    }
    await delay(PAUSE_MS)
  }
}

/** A delivery that no list has shown may still be under way: only that its event is missing shows it. */
function lacksEvents(directory: string): boolean {
  return check(readHistory(directory)).findings.some(({ rule }) => rule === 'an event reaches its endpoints')
}

async function awaitErasures({ erasures, insist, showErasure }: World): Promise<void> {
  const deadline = Date.now() + ERASURES_MS_MAX
  for (const erasure of erasures) {
    for (;;) {
      const { body } = await insist(() => showErasure(erasure))
      if (body?.data?.erasure?.status === 'done' || Date.now() > deadline) break
      await delay(PAUSE_MS)
    }
  }
}

/** Asks for every open delivery that is known, makes those due that wait, and returns how many are open. */
async function hastenDeliveries(world: World, directory: string, deadline: number): Promise<number> {
  const arrivals = await readArrivals(directory)
  let open = 0
  for (const tenant of world.tenants) {
    for (const endpoint of tenant.endpoints) {
      const list = await world.insist(() => world.listDeliveries(tenant, endpoint))
      const listed = (list.body?.data?.deliveries ?? []) as { id: string; status: string }[]
      const shown = world.shownOpen.get(endpoint.path) ?? new Set()
      const { arrived, taken } = arrivals.get(endpoint.path) ?? NO_ARRIVALS
      // A delivery that arrived and was not taken may wait for minutes, and be too old for the list.
      const waiting = [...shown, ...arrived].filter((id) => !taken.has(id))
      const ids = new Set([...listed.filter(({ status }) => OPEN.has(status)).map(({ id }) => id), ...waiting])
      for (const id of ids) {
        // Very many take longer than the limit of requests allows.
        if (Date.now() > deadline) return open
        const isOpen = await hasten(world, tenant, { endpoint, id })
        if (isOpen) open++
        else shown.delete(id)
      }
    }
  }
  return open
}

async function hasten(
  world: World,
  tenant: Tenant,
  { endpoint, id }: { endpoint: Endpoint; id: string },
): Promise<boolean> {
  const path = `/webhooks/${endpoint.id}/deliveries/${id}`
  const note = { endpoint: endpoint.id, delivery: id }
  const shown: Answer = await world.insist(() => world.request(tenant, 'show a delivery', 'GET', path, undefined, note))
  const status = shown.body?.data?.delivery?.status
  if (status === 'retry') await world.request(tenant, 'retry a delivery', 'POST', `${path}/retry`, undefined, note)
  return OPEN.has(status)
}

/** Deliveries that arrived, and those of them that were taken, by path. */
async function readArrivals(directory: string): Promise<Map<string, Arrivals>> {
  const lines = (await readFile(`${directory}/receivers.jsonl`, 'utf8')).split('\n').filter(Boolean)
  const byPath = new Map<string, Arrivals>()
  for (const { path, deliveryId, result } of lines.map((line) => JSON.parse(line))) {
    const { arrived, taken } = byPath.get(path) ?? { arrived: new Set(), taken: new Set() }
    arrived.add(deliveryId)
    if (result === 'ok') taken.add(deliveryId)
    byPath.set(path, { arrived, taken })
  }
  return byPath
}

/** Reads the whole log and the usage of a tenant. */
export async function readTenant(world: World, tenant: Tenant): Promise<void> {
  for (const endpoint of tenant.endpoints) await world.insist(() => world.listDeliveries(tenant, endpoint))
  for (const channel of tenant.channels) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const path = `/channels/${channel.id}/messages?limit=100${at}`
      const note = { channel: channel.id }
      const page = await world.insist(() => world.request(tenant, 'final log', 'GET', path, undefined, note))
      cursor = page.body?.data?.next_cursor ?? null
    }
  }
  await world.insist(() => world.request(tenant, 'final usage', 'GET', '/usage'))
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))
}
