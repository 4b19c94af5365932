import type { ConsoleMessage } from '@hubline/sdk/console'

type Message = Pick<ConsoleMessage, 'id' | 'channel_id' | 'person'>

/** The largest number of messages that one request names. */
const NAMED_MAX = 100

/** A person of a channel. Groups and erased people have neither a number nor an id, so each of their messages stands alone. */
export function toPersonKey({ id, channel_id, person }: Message): string {
  return `${channel_id} ${person.user_id ?? person.phone ?? id}`
}

/** A message of each person whose name is not known yet, the newest first. */
export function nameOnce<Row extends Message>(rows: readonly Row[], known: ReadonlyMap<string, unknown>): Row[] {
  const found = new Map<string, Row>()
  for (const row of rows) {
    const key = toPersonKey(row)
    if (!known.has(key) && !found.has(key)) found.set(key, row)
    if (found.size === NAMED_MAX) break
  }
  return [...found.values()]
}
