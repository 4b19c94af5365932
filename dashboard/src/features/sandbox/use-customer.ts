import type { ChatMessage } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import type { Customer, CustomerMessage } from './customer.ts'
import { keepPicture } from './phone/pictures.ts'
import { conversationKey, logKey } from './queries.ts'
import { noteTime } from './stream/own-times.ts'

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
