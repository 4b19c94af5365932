import type { Static } from 'typebox'
import { stringifyAscii } from '../../../kernel/json/ascii.ts'
import type { EventKind } from '../../events/catalogue.ts'
import type { ChannelData } from '../../events/schemas.ts'

/**
 * Degraded for one of these, a channel cannot send: to its customer that is as good as disconnected. A restricted
 * account is none of them, since it may still answer whoever writes to it.
 */
const SENDING_IMPOSSIBLE = new Set(['number_restricted', 'account_offboarded'])

/**
 * What a compat endpoint gets of a channel's life, with the connection in four
 * places at once; null for events that have no such body, whose envelope is sent.
 */
export function compatBody(kind: EventKind, data: unknown): Buffer | null {
  if (kind !== 'channel.connected' && kind !== 'channel.degraded' && kind !== 'channel.disconnected') return null
  const { channel, reason } = data as Static<typeof ChannelData>
  const { id: channel_id, external_id, phone_number_id, waba_id } = channel
  const display_phone_number = channel.display_phone_number ?? ''
  const verified_name = channel.verified_name ?? ''
  const connection = { phone_number_id, waba_id, display_phone_number, verified_name }
  const event_type = eventType(kind, reason)
  return Buffer.from(
    stringifyAscii({
      ...{ event_type, channel_id, external_id, ...connection },
      meta_connection: { ...connection, phone_number: display_phone_number.replace(/\D/g, '') },
      channel: { id: channel_id, channel_id, external_id, ...connection },
      data: { external_id, ...connection, channel_id },
    }),
  )
}

function eventType(kind: EventKind, reason: string | null): 'channel_connected' | 'channel_disconnected' {
  if (kind === 'channel.connected') return 'channel_connected'
  if (kind === 'channel.disconnected') return 'channel_disconnected'
  return SENDING_IMPOSSIBLE.has(reason ?? '') ? 'channel_disconnected' : 'channel_connected'
}
