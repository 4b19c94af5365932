import { type TSchema, Type } from 'typebox'
import { ChannelConnectedEventData, ChannelEventData } from '../../domains/channels/schemas.ts'
import { BudgetEventData } from '../../domains/costs/budgets/schemas.ts'
import type { EventKind } from '../../domains/events/catalog.ts'
import {
  AccountEventData,
  CallReceivedEventData,
  CallStatusEventData,
  ContactChangedEventData,
  ContactPreferencesEventData,
  ContactSyncedEventData,
  FlowEventData,
  GroupEventData,
  HistoryEventData,
  NumberEventData,
  PaymentEventData,
  TemplateEventData,
} from '../../domains/inbound/schemas.ts'
import { ChangedMessageEventData, MessageEventData } from '../../domains/messages/schemas.ts'
import { EndpointPausedEventData } from '../../domains/webhooks/endpoints/schemas.ts'
import { TestEventData } from '../../domains/webhooks/log/schemas.ts'
import { nullable, Timestamp, Uuid } from '../../kernel/http/schemas.ts'

/** The `data` of each kind of event. The body of upstream.raw is the upstream's, without an envelope. */
const EVENT_DATA: Record<EventKind, TSchema | null> = {
  'channel.created': ChannelEventData,
  'channel.connected': ChannelConnectedEventData,
  'channel.degraded': ChannelEventData,
  'channel.disconnected': ChannelEventData,
  'message.received': MessageEventData,
  'message.sent': MessageEventData,
  'message.status': MessageEventData,
  'message.echo': MessageEventData,
  'message.edited': ChangedMessageEventData,
  'message.revoked': ChangedMessageEventData,
  'payment.status': PaymentEventData,
  'contact.preferences': ContactPreferencesEventData,
  'contact.changed': ContactChangedEventData,
  'contact.synced': ContactSyncedEventData,
  'call.received': CallReceivedEventData,
  'call.status': CallStatusEventData,
  'group.changed': GroupEventData,
  'flow.status': FlowEventData,
  'history.message': HistoryEventData,
  'template.status': TemplateEventData,
  'phone.quality': NumberEventData,
  'account.update': AccountEventData,
  'endpoint.paused': EndpointPausedEventData,
  'cost.budget_reached': BudgetEventData,
  'upstream.raw': null,
  'webhook.test': TestEventData,
}

const RAW_EXAMPLE = {
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '102290129340398',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '5511987654321', phone_number_id: '106540352242922' },
            contacts: [{ profile: { name: 'Ana' }, wa_id: '5511955500199' }],
            messages: [
              {
                from: '5511955500199',
                id: 'wamid.HBgNNTUxMTk1NTUwMDE5OQ',
                timestamp: '1769860800',
                type: 'text',
                text: { body: 'Is my order ready?' },
              },
            ],
          },
        },
      ],
    },
  ],
}

const RAW = Type.Object(
  {},
  { additionalProperties: true, description: "The upstream's own body, byte for byte.", examples: [RAW_EXAMPLE] },
)

/** The members of an event's `data`. */
export function listEventMembers(kind: EventKind): string[] {
  const data: { properties?: object } | null = EVENT_DATA[kind]
  return Object.keys(data?.properties ?? {})
}

/** The schema of the body that an endpoint receives for an event. */
export function buildEventPayload(kind: EventKind): TSchema {
  const data = EVENT_DATA[kind]
  if (data === null) return RAW
  return Type.Object({
    id: Uuid,
    event: Type.Literal(kind),
    channel_id: nullable(Uuid),
    occurred_at: Timestamp,
    data,
  })
}
