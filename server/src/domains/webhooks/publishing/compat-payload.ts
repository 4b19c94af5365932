import { type Static, Type } from 'typebox'
import { nullable, oneOf, Uuid } from '../../../kernel/http/schemas.ts'
import { stringifyAscii } from '../../../kernel/json/ascii.ts'
import type { EventKind } from '../../events/catalog.ts'

const Text = nullable(Type.String())
const connectionMembers = {
  phone_number_id: Text,
  waba_id: Text,
  display_phone_number: Type.String({ description: 'The value is empty until it is known.' }),
  verified_name: Type.String({ description: 'The value is empty until it is known.' }),
}

/** The body of a channel's connection events for an endpoint in the compat format. */
export const CompatLifecycle = Type.Object({
  event_type: oneOf(['channel_connected', 'channel_disconnected']),
  channel_id: Uuid,
  external_id: Text,
  ...connectionMembers,
  meta_connection: Type.Object({
    ...connectionMembers,
    phone_number: Type.String({ description: 'The number in digits only.' }),
  }),
  channel: Type.Object({ id: Uuid, channel_id: Uuid, external_id: Text, ...connectionMembers }),
  data: Type.Object({ external_id: Text, ...connectionMembers, channel_id: Uuid }),
})
type CompatLifecycle = Static<typeof CompatLifecycle>

/** The parts of a channel event's data that the payload is built from. */
type ConnectionData = {
  channel: {
    id: string
    external_id: string | null
    phone_number_id: string | null
    waba_id: string | null
    display_phone_number: string | null
    verified_name: string | null
  }
  reason: string | null
}

/**
 * Reasons of channel.degraded with which a channel cannot send, which a compat endpoint sees as a disconnection.
 * A restricted account is not among them unless both kinds of messaging are restricted: it may still reply to customers,
 * or write first.
 */
const SENDING_IMPOSSIBLE = new Set(['number_restricted', 'account_offboarded', 'account_messaging_blocked'])

/** Returns true if a channel that is degraded for this reason cannot send. */
export function isSendingImpossible(reason: string | null): boolean {
  return SENDING_IMPOSSIBLE.has(reason ?? '')
}

/**
 * Builds the payload of a compat endpoint for the connection events of a channel, with the
 * connection repeated in four places. Null for every other event: a compat
 * endpoint gets the envelope of those.
 */
export function buildCompatPayload(kind: EventKind, data: unknown): Buffer | null {
  if (!isLifecycle(kind)) return null
  const { channel, reason } = data as ConnectionData
  const { id: channel_id, external_id, phone_number_id, waba_id } = channel
  const display_phone_number = channel.display_phone_number ?? ''
  const verified_name = channel.verified_name ?? ''
  const connection = { phone_number_id, waba_id, display_phone_number, verified_name }
  return Buffer.from(
    stringifyAscii({
      event_type: toCompatEventType(kind, reason),
      channel_id,
      external_id,
      ...connection,
      meta_connection: { ...connection, phone_number: display_phone_number.replace(/\D/g, '') },
      channel: { id: channel_id, channel_id, external_id, ...connection },
      data: { external_id, ...connection, channel_id },
    } satisfies CompatLifecycle),
  )
}

/** The kinds with a body of their own in the compat format. */
export function isLifecycle(kind: EventKind): boolean {
  return kind === 'channel.connected' || kind === 'channel.degraded' || kind === 'channel.disconnected'
}

function toCompatEventType(kind: EventKind, reason: string | null): 'channel_connected' | 'channel_disconnected' {
  if (kind === 'channel.connected') return 'channel_connected'
  if (kind === 'channel.disconnected') return 'channel_disconnected'
  return isSendingImpossible(reason) ? 'channel_disconnected' : 'channel_connected'
}
