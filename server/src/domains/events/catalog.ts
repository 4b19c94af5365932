import type { TSchema } from 'typebox'
import { AccountData, ChannelData, MessageData, NumberData, TemplateData, TestData } from './schemas.ts'

type Kind = { when: string; data: TSchema | null }

/**
 * Every kind of event: when it is recorded, and its `data`. The endpoint's list
 * of kinds, the description of the webhooks in the API's document, and through
 * that the SDK's types are made from this table. An `upstream.raw` body is the
 * upstream's own and has no `data`.
 */
export const EVENT_KINDS = {
  'channel.created': { when: 'A channel was created.', data: ChannelData },
  'channel.connected': { when: 'A channel was connected, or works again after it did not.', data: ChannelData },
  'channel.degraded': {
    when: 'A channel is registered, but the hub cannot do its whole job for it.',
    data: ChannelData,
  },
  'channel.disconnected': {
    when: 'A channel lost its number or its credential, or was deleted.',
    data: ChannelData,
  },
  'message.received': { when: 'A contact sent a message.', data: MessageData },
  'message.sent': { when: 'The upstream accepted a message that the hub sent.', data: MessageData },
  'message.status': { when: 'A message was sent, delivered, read or played, or failed.', data: MessageData },
  'message.echo': { when: 'The business sent a message from its own app.', data: MessageData },
  'template.status': { when: "A template's review, quality or category changed.", data: TemplateData },
  'phone.quality': { when: "A number's quality, limit or name changed.", data: NumberData },
  'account.update': { when: "The number's account changed.", data: AccountData },
  'upstream.raw': { when: 'A change as the upstream sent it, for endpoints in the raw mode.', data: null },
  'webhook.test': { when: 'A test of an endpoint was asked for.', data: TestData },
} as const satisfies Record<string, Kind>

export type EventKind = keyof typeof EVENT_KINDS
export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as EventKind[]

/** An event that is about to be recorded. */
export type NewEvent = {
  organizationId: string
  kind: EventKind
  channelId: string | null
  /** When it happened at its source; the current time if absent. */
  occurredAt?: string | null
} & ({ data: object; compat?: Buffer | null } | { raw: Buffer })
