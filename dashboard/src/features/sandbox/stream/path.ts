import type { ChatMessage, MessageEntry } from '@hubline/sdk/console'
import { getOwnTime } from './own-times.ts'
import { type Journey, readIdTime } from './rows.ts'

/** The duration of each part of the way, in milliseconds, as far as it is known. */
export type PathTimes = {
  direction: 'inbound' | 'outbound'
  customer: number | undefined
  upstream: number | undefined
  code: number | undefined
}

type Known = {
  message: MessageEntry
  bubble: ChatMessage | undefined
  journey: Journey | undefined
}

export function measurePath({ message, bubble, journey }: Known): PathTimes {
  const hubAt = readIdTime(message.id)
  const upstreamAt = bubble && Date.parse(bubble.at)
  const { direction, upstream_message_id } = message
  if (direction === 'inbound') {
    return {
      direction,
      customer: getOwnTime(upstream_message_id),
      upstream: upstreamAt === undefined ? undefined : Math.max(0, hubAt - upstreamAt),
      code: journey?.toCode,
    }
  }
  return {
    direction,
    customer: undefined,
    upstream: upstreamAt === undefined ? undefined : Math.max(0, upstreamAt - hubAt),
    code: getOwnTime(message.id),
  }
}
