/** An event in the life of a channel's message. Failures are counted for each error code by themselves. */
type MessageCount = {
  organizationId: string
  channelId: string
  /** Empty where nothing failed. */
  errorCode: string
} & Record<MessageCounter, number>

/** A refused message failed, and was never sent: sent and refused together are all messages that clients tried to send. */
export const MESSAGE_COUNTERS = ['sent', 'delivered', 'read', 'failed', 'refused', 'received'] as const
export type MessageCounter = (typeof MESSAGE_COUNTERS)[number]

export const NO_MESSAGES: Readonly<Record<MessageCounter, number>> = {
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  refused: 0,
  received: 0,
}

/** The code of a failure whose error has none. */
export const NO_CODE = '-'

export type CountedMessage = {
  organizationId: string
  channelId: string
  counters: readonly MessageCounter[]
  error: { code: number | null } | null
}

/** Adds up what happened to single messages. */
export function sumMessageCounts(messages: readonly CountedMessage[]): MessageCount[] {
  const sums = new Map<string, MessageCount>()
  for (const { organizationId, channelId, counters, error } of messages) {
    for (const counter of counters) {
      const errorCode = counter === 'failed' ? String(error?.code ?? NO_CODE) : ''
      const key = `${channelId} ${errorCode}`
      const sum = sums.get(key) ?? { organizationId, channelId, errorCode, ...NO_MESSAGES }
      sum[counter] += 1
      sums.set(key, sum)
    }
  }
  return [...sums.values()]
}
