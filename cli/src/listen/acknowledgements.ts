import { setTimeout as sleep } from 'node:timers/promises'
import { type Hub, HubApiError } from '@hubline/sdk'
import { LISTENER_SECRET_HEADER } from '../generated/definitions.gen.ts'

/** At most 120 requests a minute, of the 600 that a key has. */
const PAUSE_MS = 500
const BATCH_SIZE = 1000
const RETRY_MS = 1000
/** The program waits this long for its last acknowledgement. Without it, deliveries come again. */
const FLUSH_MS = 5000

/** Tells the hub which deliveries were answered, in batches, and again until it has confirmed them. */
export function createAcknowledgements(hub: Hub, getSession: () => { id: string; secret: string }) {
  let answered = new Set<string>()
  let isRunning = false

  async function acknowledgeBatch(ids: string[], signal?: AbortSignal): Promise<void> {
    const { id, secret } = getSession()
    const options = { headers: { [LISTENER_SECRET_HEADER]: secret }, retries: 0, signal }
    await hub.listeners.acknowledgeDeliveries(id, { delivery_ids: ids }, options)
    for (const one of ids) answered.delete(one)
  }

  async function run(): Promise<void> {
    while (answered.size > 0) {
      try {
        await acknowledgeBatch([...answered].slice(0, BATCH_SIZE))
        await sleep(PAUSE_MS)
      } catch (err) {
        // The listener is over, and its deliveries with it.
        if (err instanceof HubApiError && err.status === 404) answered = new Set()
        else await sleep(RETRY_MS)
      }
    }
    isRunning = false
  }

  return {
    add(deliveryId: string): void {
      answered.add(deliveryId)
      if (isRunning) return
      isRunning = true
      void run()
    },

    clear(): void {
      answered = new Set()
    },

    /** Before the end: one last batch, without the pauses. */
    async flush(): Promise<void> {
      if (answered.size === 0) return
      const signal = AbortSignal.timeout(FLUSH_MS)
      await acknowledgeBatch([...answered].slice(0, BATCH_SIZE), signal).catch(() => undefined)
    },
  }
}
