import type { Pool } from '../../../kernel/db/pool.ts'
import { isUuid } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'

const CHANNEL = 'hubline_due'
/** Hints gather for this long: a notice costs every commit that follows it, so few are better than many. */
const GATHER_MS = 10
/** PostgreSQL carries 8,000 bytes; more endpoints than fit are found by looking, a moment later. */
const ENDPOINTS_MAX = 100

export type Notices = ReturnType<typeof createNotices>

/** Carries wake-ups from processes that make deliveries to those that send them. */
export function createNotices({ sql, wakeUps, logger }: { sql: Pool; wakeUps: WakeUps; logger: Logger }) {
  const waiting = new Map<string, EndpointKey>()

  async function tell(): Promise<void> {
    const endpoints = [...waiting.values()].slice(0, ENDPOINTS_MAX)
    waiting.clear()
    const words = endpoints.map(({ organizationId, endpointId }) => `${organizationId}${endpointId}`)
    await sql.notify(CHANNEL, words.join(' ').replaceAll('-', ''))
  }

  return {
    /** For a process that does not deliver by itself. */
    tellOthers(): void {
      wakeUps.listen((endpoints) => {
        const isFirst = waiting.size === 0
        for (const endpoint of endpoints) waiting.set(endpoint.endpointId, endpoint)
        if (!isFirst) return
        setTimeout(() => tell().catch((err) => logger.warn({ err }, 'a wake-up was not sent')), GATHER_MS)
      })
    },

    /** For a process that delivers. */
    async hearOthers(): Promise<{ stop: () => Promise<void> }> {
      try {
        const { unlisten } = await sql.listen(CHANNEL, (words) => wakeUps.wake(words.split(' ').flatMap(endpointOf)))
        return { stop: unlisten }
      } catch (err) {
        // What is due is found by looking, a moment later.
        logger.warn({ err }, 'wake-ups of other processes are not heard')
        return { stop: async () => undefined }
      }
    },
  }
}

function endpointOf(word: string): EndpointKey[] {
  const [organizationId, endpointId] = [word.slice(0, 32), word.slice(32)].map(dashed)
  return organizationId && endpointId && isUuid(organizationId) && isUuid(endpointId)
    ? [{ organizationId, endpointId }]
    : []
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
