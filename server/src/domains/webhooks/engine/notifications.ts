import type { Pool } from '../../../kernel/db/pool.ts'
import { isUuid } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'

const NOTIFY_CHANNEL = 'hubline_due'
/** Wake-ups are collected for this long: each NOTIFY slows every commit that follows it. */
const COLLECT_MS = 10
/** A notification carries at most 8,000 bytes. Polling finds the endpoints that do not fit, within a second. */
const ENDPOINTS_MAX = 100

/** Carries wake-ups from processes that create deliveries to processes that send them, by NOTIFY and LISTEN. */
export function createNotifications({ sql, wakeUps, logger }: { sql: Pool; wakeUps: WakeUps; logger: Logger }) {
  const collected = new Map<string, EndpointKey>()

  async function notify(): Promise<void> {
    const endpoints = [...collected.values()].slice(0, ENDPOINTS_MAX)
    collected.clear()
    await sql.notify(NOTIFY_CHANNEL, endpoints.map(formatEndpoint).join(' '))
  }

  return {
    /** For a process that does not send deliveries itself. */
    notifyWorkers(): void {
      wakeUps.listen((endpoints) => {
        const isFirst = collected.size === 0
        for (const endpoint of endpoints) collected.set(endpoint.endpointId, endpoint)
        if (!isFirst) return
        setTimeout(() => notify().catch((err) => logger.warn({ err }, 'notification not sent')), COLLECT_MS)
      })
    },

    /** For a process that sends deliveries. */
    async listen(): Promise<{ stop: () => Promise<void> }> {
      try {
        const { unlisten } = await sql.listen(NOTIFY_CHANNEL, (text) =>
          wakeUps.wake(text.split(' ').flatMap(parseEndpoint)),
        )
        return {
          stop: () => unlisten().catch((err) => logger.warn({ err }, 'cannot stop listening for notifications')),
        }
      } catch (err) {
        // Polling finds due deliveries, within a second.
        logger.warn({ err }, 'cannot listen for notifications of other processes')
        return { stop: async () => undefined }
      }
    },
  }
}

/** Both ids in hexadecimal without dashes: 64 characters, so that 100 endpoints fit. */
function formatEndpoint({ organizationId, endpointId }: EndpointKey): string {
  return `${organizationId}${endpointId}`.replaceAll('-', '')
}

function parseEndpoint(text: string): EndpointKey[] {
  const [organizationId, endpointId] = [text.slice(0, 32), text.slice(32)].map(addDashes)
  return organizationId && endpointId && isUuid(organizationId) && isUuid(endpointId)
    ? [{ organizationId, endpointId }]
    : []
}

function addDashes(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
