import type { ChatMessage, WriteAsCustomer } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { sandboxKey } from './queries.ts'
import { noteTime } from './stream/own-times.ts'

export type Customer = { phone: string; name: string }
export type CustomerMessage = WriteAsCustomer['message']

/** Writes to the channel as the customer who holds the phone. */
export function useCustomer(channelId: string, customer: Customer, onWritten: (message: ChatMessage) => void) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(message: CustomerMessage) {
      const begun = performance.now()
      const written = await hub.console.writeAsSandboxCustomer(channelId, { customer, message })
      noteTime(written.message.id, performance.now() - begun)
      return written.message
    },
    onSuccess(message) {
      onWritten(message)
      return client.invalidateQueries({ queryKey: sandboxKey(channelId) })
    },
  })
}
