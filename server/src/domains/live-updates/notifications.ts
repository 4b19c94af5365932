import type { Pool } from '../../kernel/db/pool.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { SentUpdate } from './schemas.ts'
import * as store from './store.ts'

const NOTIFY_CHANNEL = 'hubline_live_updates'
/** PostgreSQL takes less than 8,000 bytes. */
const PAYLOAD_BYTES_MAX = 7500
/** A notification comes back to its sender at once. Without one for this long, the connection listens no more. */
const ECHO_MS_MAX = 10_000

export type StreamSelection = { organizationId: string } | { userId: string }

/** Names who watches, whose sessions must be checked, and what changed. */
export type LiveNotification =
  | { watched: string }
  | { recheck: StreamSelection }
  | { organizationId: string; updates: readonly SentUpdate[] }

type Dependencies = {
  sql: Pool
  logger: Logger
  onNotification: (notification: LiveNotification) => void
  /** Called when this process begins to listen, also after it has lost its connection. */
  onListening: () => void
}

/** Carries live updates between processes: every process listens, and sends only while a stream is open somewhere. */
export function createLiveNotifications({ sql, logger, onNotification, onListening }: Dependencies) {
  let listening: Promise<{ unlisten: () => Promise<void> } | undefined> | undefined
  let unansweredSince: number | undefined

  function receive(text: string): void {
    unansweredSince = undefined
    onNotification(JSON.parse(text) as LiveNotification)
  }

  async function stop(): Promise<void> {
    const started = await listening
    listening = undefined
    await started?.unlisten().catch((err) => logger.warn({ err }, 'cannot stop listening for live updates'))
  }

  function listen(): Promise<unknown> {
    listening ??= sql.listen(NOTIFY_CHANNEL, receive, onListening).catch((err) => {
      logger.warn({ err }, 'cannot listen for live updates of other processes')
      listening = undefined
      return undefined
    })
    return listening
  }

  return {
    listen,
    stop,

    async send(notifications: readonly LiveNotification[]): Promise<void> {
      await store.notify(sql, NOTIFY_CHANNEL, notifications.flatMap(toPayloads))
      unansweredSince ??= performance.now()
    },

    /** Listens again if notifications of this process have not come back. */
    async repair(): Promise<void> {
      const isLost = unansweredSince !== undefined && performance.now() - unansweredSince > ECHO_MS_MAX
      if (!isLost && listening) return
      unansweredSince = undefined
      await stop()
      await listen()
    },
  }
}

/** Ids and kinds are ASCII, so that a character is a byte. */
function toPayloads(notification: LiveNotification): string[] {
  const whole = JSON.stringify(notification)
  if (whole.length <= PAYLOAD_BYTES_MAX || !('updates' in notification)) return [whole]
  const { organizationId, updates } = notification
  const middle = Math.ceil(updates.length / 2)
  const halves = [updates.slice(0, middle), updates.slice(middle)]
  return halves.flatMap((half) => toPayloads({ organizationId, updates: half }))
}
