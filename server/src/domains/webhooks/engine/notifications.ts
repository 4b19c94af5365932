import type { Pool } from '../../../kernel/db/pool.ts'
import { isUuid } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'

const NOTIFY_CHANNEL = 'hubline_due'
/** Wake-ups are collected for this long: each NOTIFY slows every commit that follows it. */
const COLLECT_MS = 10
/** A notification carries at most 8,000 bytes. Polling finds what does not fit, within a second. */
const KEYS_MAX = 100

type Dependencies = { sql: Pool; wakeUps: WakeUps; fanOutWakeUps: WakeUps<string>; logger: Logger }

/**
 * Carries wake-ups from processes that create deliveries to processes that send them, by NOTIFY and LISTEN: endpoints, and
 * organizations with a deferred fan-out.
 */
export function createNotifications({ sql, wakeUps, fanOutWakeUps, logger }: Dependencies) {
  const collected = new Set<string>()

  async function notify(): Promise<void> {
    const keys = [...collected].slice(0, KEYS_MAX)
    collected.clear()
    await sql.notify(NOTIFY_CHANNEL, keys.join(' '))
  }

  function collect(keys: string[]): void {
    const isFirst = collected.size === 0
    for (const key of keys) collected.add(key)
    if (!isFirst) return
    setTimeout(() => notify().catch((err) => logger.warn({ err }, 'notification not sent')), COLLECT_MS)
  }

  function wakeAll(keys: string[]): void {
    wakeUps.wake(keys.flatMap(parseEndpoint))
    const organizations = keys.flatMap(parseOrganization)
    if (organizations.length > 0) fanOutWakeUps.wake(organizations)
  }

  return {
    /** For a process that does not send deliveries itself. */
    notifyWorkers(): void {
      wakeUps.listen((endpoints) => collect(endpoints.map(formatEndpoint)))
      fanOutWakeUps.listen((organizations) => collect(organizations.map(removeDashes)))
    },

    /** For a process that sends deliveries. */
    async listen(): Promise<{ stop: () => Promise<void> }> {
      try {
        const { unlisten } = await sql.listen(NOTIFY_CHANNEL, (text) => wakeAll(text.split(' ')))
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

/** Both ids in hexadecimal without dashes: 64 characters, so that 100 endpoints fit. An organization alone has 32. */
function formatEndpoint({ organizationId, endpointId }: EndpointKey): string {
  return removeDashes(`${organizationId}${endpointId}`)
}

function parseEndpoint(text: string): EndpointKey[] {
  const [organizationId, endpointId] = [text.slice(0, 32), text.slice(32)].map(addDashes)
  return organizationId && endpointId && isUuid(organizationId) && isUuid(endpointId)
    ? [{ organizationId, endpointId }]
    : []
}

function parseOrganization(text: string): string[] {
  const id = addDashes(text)
  return isUuid(id) ? [id] : []
}

function removeDashes(ids: string): string {
  return ids.replaceAll('-', '')
}

function addDashes(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
