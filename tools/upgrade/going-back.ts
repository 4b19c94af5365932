import { setTimeout as delay } from 'node:timers/promises'
import { readHistory } from '../torture/checker.ts'
import type { Installation } from '../torture/installation.ts'
import { OPEN, type Tenant, type World } from '../torture/operations.ts'
import { drainCallbacks, readTenant } from '../torture/settle.ts'
import { checkRestored, type Restored, type Times } from './restored.ts'

const SCOPES = ['channels:read']
/** So many sends of after the backup are repeated. */
const REPEATED = 5
const DELIVERIES_MS_MAX = 120_000
const POLL_MS = 1000

export async function createKey(world: World, tenant: Tenant) {
  const body = { name: 'upgrade', scopes: SCOPES }
  const { body: made } = await world.insist(() => world.request(tenant, 'make a key', 'POST', '/api-keys', body))
  return { id: made.data.api_key.id as string, secret: made.data.secret as string }
}

export async function revokeKey(world: World, tenant: Tenant, id: string): Promise<void> {
  await world.insist(() => world.request(tenant, 'end a key', 'POST', `/api-keys/${id}/revoke`))
}

type GoingBack = {
  world: World
  installation: Installation
  directory: string
  backup: Times['backup']
  /** The secrets of a key that was revoked after the backup, and of one that was made after it. */
  keys: { revoked: string; made: string }
}

/** Starts the earlier version on what was restored, first without workers, and compares it with what happened before. */
export async function goBack({ world, installation, directory, backup, keys }: GoingBack): Promise<Restored> {
  const { tenants, crowd, sent, insist } = world
  const readLogs = async () => {
    for (const one of [...tenants, crowd.tenant]) await readTenant(world, one)
  }
  const [tenant] = tenants as [Tenant]
  await installation.startAll('api')
  const restored = Date.now()
  const showEndpoints = async () => {
    for (const one of tenants) {
      for (const { id } of one.endpoints) {
        await insist(() =>
          world.request(one, 'show an endpoint', 'GET', `/webhooks/${id}`, undefined, { endpoint: id }),
        )
      }
    }
  }
  const list = () =>
    Promise.all(
      tenants.flatMap((one) => one.endpoints.map((endpoint) => insist(() => world.listDeliveries(one, endpoint)))),
    )
  await readLogs()
  await list()
  await showEndpoints()
  for (const [secret, isExpected] of [
    [keys.revoked, true],
    [keys.made, false],
  ] as const) {
    await insist(() =>
      world.request({ ...tenant, key: secret }, 'try a key', 'GET', '/channels', undefined, { isExpected }),
    )
  }
  const { calls } = readHistory(directory)
  const accepted = calls.filter(({ kind, status, from }) => kind === 'send' && status === 202 && from < restored)
  const before = new Set(accepted.filter(({ at }) => at < backup.from).map(({ key }) => key))
  const after = new Set(accepted.filter(({ from, key }) => from > backup.at && !before.has(key)).map(({ key }) => key))
  for (const key of [...before, ...[...after].slice(0, REPEATED)]) {
    const one = sent.find((found) => found.key === key)
    if (one) await insist(() => world.send(one, 'final send'))
  }

  const working = Date.now()
  await installation.startAll('worker')
  installation.tellUpstream({ order: 'storm' })
  await drainCallbacks(installation)
  // A delivery that waits for a later attempt need not be awaited.
  const deadline = working + DELIVERIES_MS_MAX
  for (let isOpen = true; isOpen && Date.now() < deadline; ) {
    await delay(POLL_MS)
    const states = (await list()).flatMap(({ body }) => body?.data?.deliveries ?? [])
    isOpen = states.some(({ status }) => OPEN.has(status) && status !== 'retry')
  }
  await readLogs()
  return checkRestored(readHistory(directory), { backup, restored, working })
}
