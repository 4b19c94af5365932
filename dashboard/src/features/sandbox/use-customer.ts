import type { ChatMessage, Conversation, WriteAsCustomer } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { formatPhone } from '../../lib/format.ts'
import { sandboxKey } from './queries.ts'
import { noteTime } from './stream/own-times.ts'

export type Customer = Pick<Conversation['customers'][number], 'phone' | 'name' | 'username' | 'hides_phone'> & {
  /** Null until the simulator has said it. */
  user_id: string | null
  /** The person at the page described the customer just now: the simulator learns of the username with the first message. */
  isNew?: true
}
export type CustomerMessage = WriteAsCustomer['message']

/** Writes to the channel as the customer who holds the phone. */
export function useCustomer(channelId: string, customer: Customer, onWritten: (message: ChatMessage) => void) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(message: CustomerMessage) {
      const begun = performance.now()
      const { phone, name, username, isNew } = customer
      const described = { phone, name, ...(isNew && { username }) }
      const written = await hub.console.writeAsSandboxCustomer(channelId, { customer: described, message })
      noteTime(written.message.id, performance.now() - begun)
      return written.message
    },
    onSuccess(message) {
      onWritten(message)
      return client.invalidateQueries({ queryKey: sandboxKey(channelId) })
    },
  })
}

/** By what the channel sees a customer: the number, or of those who hide it the username, or else the user id. */
export function toHandle({ phone, username, hides_phone, user_id }: Customer): string {
  if (!hides_phone) return formatPhone(phone)
  return username === null ? (user_id ?? '–') : `@${username}`
}
