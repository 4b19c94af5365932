import { setTimeout as sleep } from 'node:timers/promises'
import { DemoError } from './demo-error.ts'

const LOOK_EVERY_MS = 100
/** Longer than the second wait between attempts, which a very slow machine may need. */
const WAIT_MS_MAX = 120_000

/** Calls `look` until it returns something. `what` completes the sentence of the failure. */
export async function waitFor<T>(
  what: string,
  signal: AbortSignal,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + WAIT_MS_MAX
  while (true) {
    signal.throwIfAborted()
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new DemoError(`Waited ${WAIT_MS_MAX / 1000} seconds in vain for ${what}.`)
    await sleep(LOOK_EVERY_MS, undefined, { signal })
  }
}
