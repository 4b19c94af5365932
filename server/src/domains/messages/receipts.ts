import { notFound } from '../../kernel/errors.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { ChannelConnections } from '../channels/connection/service.ts'
import { isErased } from './inbound-updates/apply.ts'
import type { MessageLog } from './log/service.ts'

type Dependencies = { upstream: Upstream; connections: ChannelConnections; messageLog: Pick<MessageLog, 'find'> }

export type Receipts = ReturnType<typeof createReceipts>

/** Read receipts: the person sees that a message was read, and that an answer is being written. */
export function createReceipts({ upstream, connections, messageLog }: Dependencies) {
  return {
    /** Only messages that a person wrote can be marked. An erased one is as if it had never been. */
    async markRead(key: { organizationId: string; channelId: string }, messageId: string, typing: boolean) {
      const { organizationId, channelId } = key
      const row = await messageLog.find(key, messageId)
      const { upstream_message_id } = row
      if (row.direction !== 'inbound' || upstream_message_id === null || isErased(row))
        throw notFound('message_not_found')
      const { token, phoneNumberId } = await connections.credential(organizationId, channelId)
      const json = {
        messaging_product: 'whatsapp',
        status: 'read',
        message_id: upstream_message_id,
        ...(typing && { typing_indicator: { type: 'text' } }),
      }
      const call = { name: 'messages.markRead', method: 'POST' as const, to: [phoneNumberId, 'messages'], json }
      const result = await upstream.passthrough.call(token, call)
      if (!result.ok) return connections.fail({ organizationId, id: channelId }, token, result.failure)
      return { id: row.id, upstream_message_id, read: true as const }
    },
  }
}
