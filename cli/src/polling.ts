import { setTimeout as sleep } from 'node:timers/promises'
import { HubError } from '@hubline/sdk'
import type { Context } from './command.ts'

const POLL_MS = 2000

/** Calls `look` until it returns something, or a person ends it. A hub that restarts does not end it. */
export async function poll<T>({ io, progress }: Context, look: () => Promise<T | undefined>): Promise<T | undefined> {
  while (!io.signal.aborted) {
    try {
      const found = await look()
      if (found !== undefined) return found
    } catch (err) {
      if (io.signal.aborted) return undefined
      if (!isTemporary(err)) throw err
      progress('The hub cannot be reached. Trying again…')
    }
    await sleep(POLL_MS, undefined, { signal: io.signal }).catch(() => undefined)
  }
  return undefined
}

/** No answer; or one of a hub that stops, of a proxy whose hub is gone, or after too many requests. */
function isTemporary(err: unknown): boolean {
  return err instanceof HubError && (err.status === null || err.status >= 500 || err.status === 429)
}
