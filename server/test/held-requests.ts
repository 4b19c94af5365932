import { setTimeout as delay } from 'node:timers/promises'
import type { Simulator } from '@hubline/simulator'

/**
 * Waits until the simulator has noticed that the clients of its held requests
 * disconnected. Closing it sooner resets connections that are shutting down, and
 * a process in which that happened never exits.
 */
export async function waitForHeldRequests({ simulator }: { simulator: Simulator }): Promise<void> {
  while ((await simulator.control<{ held: number }>('GET', '/faults')).held > 0) await delay(5)
}
