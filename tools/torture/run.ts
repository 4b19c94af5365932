import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createCaller } from './client.ts'
import { applyFault, planClocks, planFaults, SKIPPED } from './faults.ts'
import { openInstallation } from './installation.ts'
import { openLedger } from './ledger.ts'
import { createWorld, planOperations } from './operations.ts'
import { waitUntilReady } from './programs.ts'
import { settleRun } from './settle.ts'

type Run = { seed: number; runMs: number; perSecond: number; root: string; directory: string }

const POLL_MS = 2500

/** One run: sets up, does the operations and the faults of the seed at their times, and lets everything end. */
export async function run({ seed, runMs, perSecond, root, directory }: Run): Promise<void> {
  const faults = planFaults(seed, runMs)
  const operations = planOperations(seed, { runMs, perSecond })
  console.log(`Seed ${seed}, ${runMs / 1000} s, ${operations.length} operations, ${faults.length} faults`)
  const clocks = planClocks(seed)
  console.log(`Clocks in ms: ${[...clocks].map(([name, ms]) => `${name} ${ms}`).join(', ')}`)
  await using installation = await openInstallation({ seed, directory, root, clocks })
  const skipped = installation.disk ? SKIPPED : [...SKIPPED, 'full disk, which takes an account that may mount one']
  console.log(`Skipped: ${skipped.join(', ')}`)
  const call = createCaller(openLedger(join(directory, 'calls.jsonl')))
  const events = openLedger(join(directory, 'faults.jsonl'))
  const world = await createWorld(installation, call, runMs)
  const urls = installation.hubs.filter(({ role }) => role === 'api').map(({ url }) => url)
  installation.tellUpstream({ order: 'callbacks', urls })

  const startedAt = Date.now()
  const until = (atMs: number) => delay(Math.max(0, startedAt + atMs - Date.now()))
  const faulted = faults.map(async (fault) => {
    await until(fault.atMs)
    events.write({ at: Date.now(), ...fault })
    await applyFault(fault, installation)
  })
  const operated = operations.map(async (operation) => {
    await until(operation.atMs)
    await world.run(operation)
  })
  const polled = pollDeliveries()
  await Promise.all([...faulted, ...operated, polled])

  for (const { links, name, program, url } of installation.hubs) {
    for (const link of Object.values(links)) link.restore()
    program.child.kill('SIGCONT')
    await waitUntilReady(name, url, program.child)
  }
  await settleRun(world, installation, directory)

  async function pollDeliveries(): Promise<void> {
    for (let atMs = POLL_MS; atMs < runMs; atMs += POLL_MS) {
      await until(atMs)
      const endpoints = world.tenants.flatMap((tenant) => tenant.endpoints.map((endpoint) => ({ tenant, endpoint })))
      await Promise.all(endpoints.map(({ tenant, endpoint }) => world.listDeliveries(tenant, endpoint)))
    }
  }
}
