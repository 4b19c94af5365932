import type { ChatMessage, MessageEntry } from '@hubline/sdk/console'

/** A message on the phone, with its status in the message log. */
export type ArrivedMessage = Omit<ChatMessage, 'status'> & Pick<MessageEntry, 'status'>

/**
 * Lists the messages on the customer's phone: what the customer wrote, and what reached it of the business. The log may say less of
 * the latter than the simulator, because callbacks can be late.
 */
export function listArrived(chat: readonly ChatMessage[], log: readonly MessageEntry[]): ArrivedMessage[] {
  const logged = new Map(log.map(({ upstream_message_id, status }) => [upstream_message_id, status]))
  return chat.filter(hasArrived).map((message) => {
    const status = message.from === 'business' ? logged.get(message.id) : undefined
    return { ...message, status: status ?? message.status }
  })
}

/** The upstream reports no more of a reaction than that it was sent. */
function hasArrived({ from, type, status }: ChatMessage): boolean {
  return (
    from === 'customer' || status === 'delivered' || status === 'read' || (type === 'reaction' && status === 'sent')
  )
}
