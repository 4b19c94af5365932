import type { ChatMessage, MessageEntry } from '@hubline/sdk/console'
import { getOwnTime } from './own-times.ts'
import { readIdTime } from './rows.ts'

/** How long each part of the way took, in milliseconds, as far as it is known. */
export type PathTimes = {
  direction: 'inbound' | 'outbound'
  customer: number | undefined
  upstream: number | undefined
  code: number | undefined
}

type Known = {
  message: MessageEntry
  bubble: ChatMessage | undefined
  /** When the last delivery of the message's event was answered. */
  deliveredAt: number | undefined
}

/** The simulator and the hub share a clock, because they are one process. */
export function measurePath({ message, bubble, deliveredAt }: Known): PathTimes {
  const hubAt = readIdTime(message.id)
  const upstreamAt = bubble && Date.parse(bubble.at)
  const { direction, upstream_message_id } = message
  if (direction === 'inbound') {
    return {
      direction,
      customer: getOwnTime(upstream_message_id),
      upstream: upstreamAt === undefined ? undefined : Math.max(0, hubAt - upstreamAt),
      code: deliveredAt === undefined ? undefined : Math.max(0, deliveredAt - hubAt),
    }
  }
  return {
    direction,
    customer: undefined,
    upstream: upstreamAt === undefined ? undefined : Math.max(0, upstreamAt - hubAt),
    code: getOwnTime(message.id),
  }
}
