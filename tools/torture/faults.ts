import { setTimeout as delay } from 'node:timers/promises'
import type { Hub, Installation } from './installation.ts'
import { kill, stop } from './programs.ts'
import { createRandom } from './random.ts'

/** A fault that a seed plans: what, against which process, when, and for how long. Times are in milliseconds. */
export type Fault = { kind: FaultKind; target: string; link: LinkName; atMs: number; forMs: number }
type FaultKind = keyof typeof KINDS
type LinkName = 'database' | 'upstream' | 'clients'

const KINDS = {
  'kill -9': 30,
  'planned restart': 8,
  SIGSTOP: 20,
  'cut a link': 18,
  'stall a link': 12,
  'delay a link': 8,
  'reset a link': 14,
  'half-close a link': 6,
  'kill -9 of the database': 3,
  'no connection left': 3,
  'full disk': 2,
  'SIGSTOP of the upstream': 3,
  'SIGSTOP of the receivers': 3,
}

/** They concern every process of the hub at once. */
const SHARED = new Set<FaultKind>([
  'kill -9 of the database',
  'no connection left',
  'full disk',
  'SIGSTOP of the upstream',
  'SIGSTOP of the receivers',
])
/** They need more than a checkout and an ordinary account. A run does not have them, and its report says so. */
export const SKIPPED = ['promotion of a standby']

const NAMES = ['api-1', 'api-2', 'worker-1', 'worker-2']
const QUIET_MS = 2000
/** A link that is slow for 5 s passes each byte on 250 ms later. */
const DELAY_SHARE = 20
/** The clocks of the processes, in milliseconds ahead of the database's. */
const CLOCKS_MS = [0, 0, 30_000, -30_000]

/** The clock of each process, for a whole run. */
export function planClocks(seed: number): Map<string, number> {
  const random = createRandom(seed, 'clocks')
  return new Map(NAMES.map((name) => [name, random.pick(CLOCKS_MS) ?? 0]))
}

/** The faults of a seed. The last ones end before the run does. */
export function planFaults(seed: number, runMs: number): Fault[] {
  const random = createRandom(seed, 'faults')
  const faults: Fault[] = []
  for (let atMs = QUIET_MS; atMs < runMs - QUIET_MS; atMs += random.between(700, 3500)) {
    const kind = random.choose(KINDS)
    const target = random.pick(NAMES) ?? ''
    const link = random.choose({
      database: 3,
      upstream: target.startsWith('api') ? 2 : 0,
      clients: target.startsWith('api') ? 2 : 0,
    })
    faults.push({ kind, target, link, atMs, forMs: random.between(200, 5000) })
  }
  return faults
}

/** An earlier version is only upgraded: a run does not test how it bears faults. */
export function spares({ kind, target }: Fault, { hubs }: Installation): boolean {
  const earlier = hubs.filter(({ isEarlier }) => isEarlier)
  return earlier.some(({ name }) => name === target || SHARED.has(kind))
}

/** Applies a fault, and ends it when its time is over. */
export async function applyFault(fault: Fault, installation: Installation): Promise<void> {
  const { hubs, upstream, receivers } = installation
  const { kind, target, link, forMs } = fault
  const hub = hubs.find(({ name }) => name === target) as Hub
  const end = () => delay(forMs)
  if (kind === 'kill -9') {
    await kill(hub.program.child)
    await end()
    return await hub.restart()
  }
  if (kind === 'planned restart') {
    await stop(hub.program)
    return await hub.restart()
  }
  if (kind.startsWith('SIGSTOP')) {
    const stopped = kind === 'SIGSTOP' ? hub.program : kind.endsWith('upstream') ? upstream : receivers
    stopped.child.kill('SIGSTOP')
    await end()
    stopped.child.kill('SIGCONT')
  }
  if (kind === 'kill -9 of the database') installation.killDatabase()
  if (kind === 'no connection left') return await installation.takeConnections(forMs)
  if (kind === 'full disk') return await installation.disk?.fill(forMs)
  if (kind === 'reset a link') hub.links[link].reset()
  if (kind === 'half-close a link') hub.links[link].halfClose()
  if (kind === 'cut a link' || kind === 'stall a link' || kind === 'delay a link') {
    if (kind === 'cut a link') hub.links[link].cut()
    else if (kind === 'stall a link') hub.links[link].stall()
    else hub.links[link].delay(forMs / DELAY_SHARE)
    await end()
    hub.links[link].restore()
  }
}
