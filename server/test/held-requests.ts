import { setImmediate } from 'node:timers/promises'
import type { Simulator } from '@hubline/simulator'

/**
 * Waits until the simulator has noticed that nobody waits for a hanging answer
 * any more. Closing it sooner resets connections that are shutting down, and a
 * process in which that happened never ends.
 */
export async function waitForHeldRequests({ simulator }: { simulator: Simulator }): Promise<void> {
  while ((await simulator.control<{ held: number }>('GET', '/faults')).held > 0) await setImmediate()
}
