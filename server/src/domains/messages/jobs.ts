import { toFirstIdOfDay } from '../../kernel/db/partitions.ts'
import type { Messages } from './service.ts'

const DAY_MS = 86_400_000
const KEY_DAYS = 30
/** The upstream repeats itself for a week; as long, a message must be known by its name although the log forgets it. */
const NAME_DAYS_MIN = 10

/** What looks after sends that nobody waits for any more, and forgets names in their time. */
export function messageJobs(messages: Messages, now: () => Date, retentionDays: number) {
  const before = (days: number) => toFirstIdOfDay(new Date(now().getTime() - days * DAY_MS))
  return [
    { name: 'give-up-late-sends', everySeconds: 5, runsAtStart: true as const, run: () => messages.giveUpLate() },
    {
      name: 'forget-message-names',
      everySeconds: 3600,
      run: () =>
        messages.forget({
          keys: before(KEY_DAYS),
          unsettled: before(KEY_DAYS),
          wamids: before(Math.max(retentionDays, NAME_DAYS_MIN)),
        }),
    },
  ]
}
