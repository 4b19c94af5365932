import type { Pool } from '../../../kernel/db/pool.ts'
import { isUuid } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'

const NOTIFY_CHANNEL = 'hubline_listeners'
/** Longer than for endpoints: a person watches, and each NOTIFY slows every commit that follows it. */
const COLLECT_MS = 50
/** A notification carries at most 8,000 bytes. A stream finds the deliveries of others by itself, within seconds. */
const LISTENERS_MAX = 200

type Dependencies = { sql: Pool; logger: Logger; onNotification: (listenerIds: string[]) => void }

/** Tells the other processes which listeners have new deliveries: a stream may be attached to any of them. */
export function createListenerNotifications({ sql, logger, onNotification }: Dependencies) {
  const collected = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let listening: Promise<{ unlisten: () => Promise<void> } | undefined> | undefined

  async function send(): Promise<void> {
    timer = undefined
    const ids = [...collected].slice(0, LISTENERS_MAX)
    collected.clear()
    await sql.notify(NOTIFY_CHANNEL, ids.join(' '))
  }

  return {
    notify(listenerIds: string[]): void {
      for (const id of listenerIds) collected.add(id)
      timer ??= setTimeout(() => send().catch((err) => logger.warn({ err }, 'notification not sent')), COLLECT_MS)
    },

    /** Only a process with a stream listens, on a connection of its own, from its first stream on. */
    listen(): void {
      listening ??= sql
        .listen(NOTIFY_CHANNEL, (text) => onNotification(text.split(' ').filter(isUuid)))
        .catch((err) => {
          logger.warn({ err }, 'cannot listen for notifications of other processes')
          listening = undefined
          return undefined
        })
    },

    async stop(): Promise<void> {
      clearTimeout(timer)
      const started = await listening
      await started?.unlisten().catch((err) => logger.warn({ err }, 'cannot stop listening for notifications'))
    },
  }
}
