import { toFirstIdOfDay } from '../../kernel/db/partitions.ts'
import type { Messages } from './sending/service.ts'

const DAY_MS = 86_400_000
const KEY_DAYS = 30
/** The upstream repeats callbacks for up to a week; without the id a repeat would create the message again. */
const WAMID_DAYS_MIN = 10

export function messageJobs(messages: Messages, readTime: () => Promise<Date>, retentionDays: number) {
  return [
    {
      name: 'extend-leases-of-sends',
      everySeconds: 5,
      runsInEveryRole: true as const,
      run: () => messages.extendLeases(),
    },
    {
      name: 'defer-log-entries-of-sends',
      everySeconds: 5,
      runsAtStart: true as const,
      runsInEveryRole: true as const,
      run: () => messages.deferLog(),
    },
    {
      name: 'mark-expired-sends',
      everySeconds: 5,
      runsAtStart: true as const,
      run: () => messages.markExpiredUnknown(),
    },
    {
      name: 'mark-sends-of-lost-processes',
      everySeconds: 1,
      run: () => messages.markUnknownOfLostProcesses(),
    },
    {
      name: 'delete-expired-message-keys',
      everySeconds: 3600,
      async run() {
        const now = await readTime()
        const before = (days: number) => toFirstIdOfDay(new Date(now.getTime() - days * DAY_MS))
        await messages.deleteExpired({
          keys: before(KEY_DAYS),
          unsettled: before(KEY_DAYS),
          wamids: before(Math.max(retentionDays, WAMID_DAYS_MIN)),
        })
      },
    },
  ]
}
