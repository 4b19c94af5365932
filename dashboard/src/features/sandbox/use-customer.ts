import type { ChatMessage, Conversation, WriteAsCustomer } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { formatPhone } from '../../lib/format.ts'
import { keepPicture } from './phone/pictures.ts'
import { conversationKey, logKey } from './queries.ts'
import { noteTime } from './stream/own-times.ts'

export type Customer = Pick<Conversation['customers'][number], 'phone' | 'name' | 'username' | 'hides_phone'> & {
  /** Null until the simulator has said it. */
  user_id: string | null
  /** The person at the page described the customer just now: the simulator learns of the username with the first message. */
  isNew?: true
}
export type CustomerMessage = WriteAsCustomer['message']

/** Writes to the channel as a customer, whose phone is shown. */
export function useCustomer(channelId: string, onWritten: (message: ChatMessage) => void) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn({ customer, message }: { customer: Customer; message: CustomerMessage }) {
      const begun = performance.now()
      const { phone, name, username, isNew } = customer
      const described = { phone, name, ...(isNew && { username }) }
      const written = await hub.console.writeAsSandboxCustomer(channelId, { customer: described, message })
      noteTime(written.message.id, performance.now() - begun)
      keepPicture(written.message.id, message)
      return written.message
    },
    onSuccess(message, { customer: { phone } }) {
      onWritten(message)
      return refreshConversation(client, channelId, phone)
    },
  })
}

/** Reads the newest messages of a conversation again, before an event says that there are some. */
export function refreshConversation(client: ReturnType<typeof useQueryClient>, channelId: string, phone: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: conversationKey(channelId, phone) }),
    client.invalidateQueries({ queryKey: logKey(channelId, phone) }),
  ])
}

/** By what the channel sees a customer: the number, or of those who hide it the username, or else the user id. */
export function toHandle({ phone, username, hides_phone, user_id }: Customer): string {
  if (!hides_phone) return formatPhone(phone)
  return username === null ? (user_id ?? '–') : `@${username}`
}
