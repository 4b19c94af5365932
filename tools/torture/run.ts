import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createCaller } from './client.ts'
import { applyFault, planClocks, planFaults, SKIPPED, spares } from './faults.ts'
import { openInstallation } from './installation.ts'
import { openLedger } from './ledger.ts'
import { createWorld, planOperations } from './operations.ts'
import { settleRun } from './settle.ts'

/** `earlierRoot`: the checkout of an earlier version, with which the run begins. */
type Run = {
  seed: number
  runMs: number
  perSecond: number
  root: string
  directory: string
  earlierRoot?: string | undefined
}

const POLL_MS = 2500
/** The upgrade begins after this part of a run, so that the earlier version leaves something behind. */
const UPGRADE_AT = 0.3

/** One run: sets up, does the operations and the faults of the seed at their times, and lets everything end. */
export async function run({ seed, runMs, perSecond, root, directory, earlierRoot }: Run): Promise<void> {
  const openedAt = Date.now()
  const faults = planFaults(seed, runMs)
  const operations = planOperations(seed, { runMs, perSecond })
  console.log(`Seed ${seed}, ${runMs / 1000} s, ${operations.length} operations, ${faults.length} faults`)
  const clocks = planClocks(seed)
  console.log(`Clocks in ms: ${[...clocks].map(([name, ms]) => `${name} ${ms}`).join(', ')}`)
  await using installation = await openInstallation({ seed, directory, root, earlierRoot, clocks })
  const skipped = [
    ...SKIPPED,
    ...(earlierRoot ? [] : ['upgrade under traffic, which --from COMMIT adds']),
    ...(installation.disk ? [] : ['full disk, which takes an account that may mount one']),
  ]
  console.log(`Skipped: ${skipped.join(', ')}`)
  const call = createCaller(openLedger(join(directory, 'calls.jsonl')))
  const events = openLedger(join(directory, 'faults.jsonl'))
  const world = await createWorld(installation, call, runMs)
  await world.sellPlans()
  const urls = installation.hubs.filter(({ role }) => role === 'api').map(({ url }) => url)
  installation.tellUpstream({ order: 'callbacks', urls })

  const setUpMs = Date.now() - openedAt
  const startedAt = Date.now()
  const until = (atMs: number) => delay(Math.max(0, startedAt + atMs - Date.now()))
  const faulted = faults.map(async (fault) => {
    await until(fault.atMs)
    if (spares(fault, installation)) return
    events.write({ at: Date.now(), ...fault })
    await applyFault(fault, installation)
  })
  const operated = operations.map(async (operation) => {
    await until(operation.atMs)
    await world.run(operation)
  })
  const polled = pollDeliveries()
  const upgraded = earlierRoot && until(runMs * UPGRADE_AT).then(upgrade)
  await Promise.all([...faulted, ...operated, polled, upgraded])

  for (const hub of installation.hubs) {
    for (const link of Object.values(hub.links)) link.restore()
    hub.program.child.kill('SIGCONT')
    await hub.waitUntilReady()
  }
  const endedAt = Date.now()
  await settleRun(world, installation, directory)
  const seconds = [setUpMs, endedAt - startedAt, Date.now() - endedAt].map((ms) => Math.round(ms / 1000))
  console.log(`Seconds of the set-up, the faults and the end: ${seconds.join(', ')}`)

  async function upgrade(): Promise<void> {
    events.write({ at: Date.now(), kind: 'upgrade' })
    await installation.upgrade()
    events.write({ at: Date.now(), kind: 'upgraded' })
  }

  async function pollDeliveries(): Promise<void> {
    for (let atMs = POLL_MS; atMs < runMs; atMs += POLL_MS) {
      await until(atMs)
      const endpoints = world.tenants.flatMap((tenant) => tenant.endpoints.map((endpoint) => ({ tenant, endpoint })))
      await Promise.all(endpoints.map(({ tenant, endpoint }) => world.listDeliveries(tenant, endpoint)))
    }
  }
}
