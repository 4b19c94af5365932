/**
 * Every kind of event, and when it is recorded. The kinds of an endpoint, the description of the webhooks in openapi.json
 * and the types of the SDK derive from this table.
 */
export const EVENT_KINDS = {
  'channel.created': 'A channel was created.',
  'channel.connected': 'A channel was connected, or works again after it did not.',
  'channel.degraded': 'A channel is registered, but the hub cannot do its whole job for it.',
  'channel.disconnected': 'A channel lost its number or its credential, or was deleted.',
  'message.received': 'A contact sent a message.',
  'message.sent': 'The upstream accepted a message that the hub sent.',
  'message.status': 'A message was sent, delivered, read or played, or failed.',
  'message.echo': 'The business sent a message from its own app.',
  'message.edited': 'A contact or the business edited a message that it sent.',
  'message.revoked': 'A contact or the business deleted a message for everyone.',
  'payment.status': 'The payment that a message asked for is pending, was captured or failed.',
  'contact.preferences': 'A contact stopped or resumed marketing messages.',
  'contact.changed': 'A contact has another number or user id.',
  'contact.synced': "Contacts of the business's own app were added or removed.",
  'call.received': 'A contact calls the business.',
  'call.status': 'A call rings, was accepted or rejected, or ended; or the business calls a contact.',
  'group.changed': 'A group, its members or its settings changed.',
  'flow.status': "A flow's status changed, or its endpoint has a problem.",
  'history.message': 'Messages from before the number was connected, for a channel that imports its history.',
  'template.status': "A template's review, quality or category changed.",
  'phone.quality': "A number's quality, limit, name or username changed.",
  'account.update': "The number's account changed.",
  'endpoint.paused': 'The hub paused an endpoint that kept failing.',
  'cost.budget_reached': 'A channel reached 80 or 100 percent of its monthly budget.',
  'upstream.raw': 'A change as the upstream sent it, for endpoints in the raw mode.',
  'webhook.test': 'A test of an endpoint was requested.',
} as const

export type EventKind = keyof typeof EVENT_KINDS
export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as EventKind[]

/** An event that is about to be recorded. */
export type NewEvent = {
  /** For a statement of the caller that refers to the event; a new id if absent. */
  id?: string
  organizationId: string
  kind: EventKind
  channelId: string | null
  /** When it happened at its source; the current time if absent. */
  occurredAt?: string | null
} & ({ data: object; compat?: Buffer | null } | { raw: Buffer })
