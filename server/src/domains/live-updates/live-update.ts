import type { NewEvent } from '../events/catalog.ts'

export const LIVE_UPDATE_KINDS = [
  'message.created',
  'message.updated',
  'delivery.created',
  'delivery.updated',
  'channel.updated',
  'endpoint.updated',
  'template.updated',
  'request.logged',
  'subscription.updated',
  'reload',
] as const

/** A change, for dashboards that show it. */
export type LiveUpdate = {
  organizationId: string
  kind: Exclude<(typeof LIVE_UPDATE_KINDS)[number], 'reload'>
  channelId?: string | null
  messageId?: string
  deliveryId?: string
  endpointId?: string
}

/** The update that an event is, if any. Deliveries have their own, and the raw change repeats another event. */
export function toEventUpdates(event: NewEvent): LiveUpdate[] {
  const { organizationId, kind, channelId } = event
  const [subject] = kind.split('.')
  if (channelId === null) return []
  if (subject === 'message') return toMessageUpdates(event)
  if (subject === 'template') return [{ organizationId, kind: 'template.updated', channelId }]
  const isOfChannel = subject === 'channel' || subject === 'phone' || subject === 'account'
  return isOfChannel ? [{ organizationId, kind: 'channel.updated', channelId }] : []
}

function toMessageUpdates(event: NewEvent): LiveUpdate[] {
  const { organizationId, kind, channelId } = event
  const { message } = ('data' in event ? event.data : {}) as { message?: { id: string } }
  // Beside the event of the message that edits or revokes.
  if (!message || kind === 'message.edited' || kind === 'message.revoked') return []
  const isNew = kind === 'message.received' || kind === 'message.echo'
  return [{ organizationId, kind: isNew ? 'message.created' : 'message.updated', channelId, messageId: message.id }]
}

type Entry = {
  organizationId: string
  action: string
  target: { type: string; id: string }
  details?: Record<string, unknown>
}

/** Actions on a webhook that change deliveries and not the endpoint. */
const DELIVERY_ACTIONS: Partial<Record<string, 'delivery.created' | 'delivery.updated'>> = {
  'webhook.replayed': 'delivery.created',
  'webhook.tested': 'delivery.created',
  'webhook.recovered': 'delivery.created',
  'webhook.retried': 'delivery.updated',
}

/** The update that an entry of the audit log is, if any. */
export function toEntryUpdates({ organizationId, action, target, details }: Entry): LiveUpdate[] {
  if (target.type === 'channel') return [{ organizationId, kind: 'channel.updated', channelId: target.id }]
  if (target.type === 'webhook') {
    const kind = DELIVERY_ACTIONS[action] ?? 'endpoint.updated'
    return [{ organizationId, kind, endpointId: target.id, ...pickId('deliveryId', details?.delivery_id) }]
  }
  if (target.type === 'listener') return [{ organizationId, kind: 'endpoint.updated' }]
  if (target.type === 'subscription') return [{ organizationId, kind: 'subscription.updated' }]
  if (target.type !== 'template') return []
  return [{ organizationId, kind: 'template.updated', ...pickId('channelId', details?.channel_id) }]
}

function pickId(name: 'deliveryId' | 'channelId', id: unknown): Partial<LiveUpdate> {
  return typeof id === 'string' ? { [name]: id } : {}
}
