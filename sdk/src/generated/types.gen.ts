// Generated from openapi.json by `npm run generate`. Do not edit.

import type { FileInput } from '../form.ts'

export type AcceptedMessage = {
  id: string
  channel_id: string
  status: 'accepted'
  /** The recipient as it was sent: a phone number, a user id or the id of a group. */
  to: string
  type: string
  upstream_message_id: string
  contact: {
    wa_id: string | null
    user_id: string | null
  } | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type AccountEventData = {
  change: {
    /** The upstream's field that the change is of, such as account_update. */
    field: string
    /** The kind of change, such as DISABLED_UPDATE. */
    event?: string
    /** The decision of a review. */
    decision?: string
    ban_info?: {
      waba_ban_state?: string
      waba_ban_date?: string
      [name: string]: unknown
    }
    violation_info?: {
      violation_type?: string
      [name: string]: unknown
    }
    disconnection_info?: {
      reason?: string
      initiated_by?: string
      [name: string]: unknown
    }
    [name: string]: unknown
  }
}

export type AccountUpdateEvent = {
  id: string
  event: 'account.update'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: AccountEventData
}

export type AcknowledgeDeliveries = {
  delivery_ids: string[]
}

export type ActionTemplateParameter = {
  type: 'action'
  action: FlowOrCatalogAction
}

export type AddonsBody = {
  /** The number of additional connections in all. */
  total: number
  /** The `proration_date` of a preview of the last ten minutes. */
  proration_date?: string
}

export type AddonsResponse = {
  addons: AddonsView
}

export type AddonsView = {
  total: number
  status: 'active' | 'pending_payment'
  /** The amount in minor units of the currency. A credit is negative. */
  amount_due: number
  /** The currency as three lower-case letters. */
  currency: string
}

export type AddressMessageInteractive = {
  type: 'address_message'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body: InteractiveBody
  action: {
    name: 'address_message'
    parameters: AddressParameters
  }
}

export type AddressParameters = {
  /** The country as two upper-case letters, such as BR. */
  country: string
  values?: {
    [name: string]: unknown
  }
  saved_addresses?: {
    [name: string]: unknown
  }[]
  validation_errors?: {
    [name: string]: unknown
  }
}

/** A message whose recipient is in the path, with the member that `type` names. Members that are null count as absent. */
export type AddressedMessageBody =
  | TextAddressedMessageBody
  | ImageAddressedMessageBody
  | AudioAddressedMessageBody
  | VideoAddressedMessageBody
  | DocumentAddressedMessageBody
  | StickerAddressedMessageBody
  | LocationAddressedMessageBody
  | ContactsAddressedMessageBody
  | ReactionAddressedMessageBody
  | InteractiveAddressedMessageBody
  | TemplateAddressedMessageBody

export type ApiKey = {
  id: string
  name: string
  prefix: 'hub_pk_'
  last4: string
  scopes: (
    | 'channels:read'
    | 'channels:write'
    | 'messages:read'
    | 'messages:send'
    | 'media:write'
    | 'templates:read'
    | 'templates:write'
    | 'profile:write'
    | 'calls:write'
    | 'number:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'billing:read'
    | 'billing:write'
    | 'audit:read'
  )[]
  status: 'active' | 'revoked' | 'expired'
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

export type ApiKeyCreated = {
  api_key: ApiKey
  /** The key itself, `hub_pk_…`. It is shown here and never again. */
  secret: string
  warning: string
}

export type ApiKeyResponse = {
  api_key: ApiKey
}

export type AttemptRecord = {
  number: number
  http_status: number | null
  error_code: string | null
  request_headers: {
    [name: string]: unknown
  } | null
  response_headers: {
    [name: string]: unknown
  } | null
  response_body_base64: string | null
  /** True if there is a body that is not shown, because a receiver may repeat a message in it: an API key needs `messages:read`, and a session reveals the delivery. */
  response_body_withheld: boolean
  address: string | null
  timings: {
    dns_ms: number | null
    connect_ms: number | null
    first_byte_ms: number | null
    total_ms: number
  } | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  ended_at: string
}

export type AudioAddressedMessageBody = {
  type: 'audio'
  audio: OutgoingAudio
}

export type AudioMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'audio'
  audio: OutgoingAudio
}

export type AuditEntry = {
  id: string
  /** One of api_key.created, api_key.revoked, channel.address_not_removed, channel.created, channel.updated, channel.connected, channel.deleted, channel.connect_link_created, channel.deregister_failed, channel.number_changed, channel.token_regenerated, channel.token_revoked, delivery.revealed, inspector.created, inspector.updated, inspector.deleted, invitation.created, invitation.accepted, invitation.revoked, listener.created, listener.deleted, message.revealed, messages.export_started, messages.exported, messages.names_revealed, member.added, member.role_changed, member.removed, organization.created, organization.updated, organization.deletion_requested, organization.deletion_canceled, organization.export_started, organization.exported, person.erasure_requested, person.erased, session.created, session.revoked, subscription.checkout_opened, subscription.changed, subscription.plan_changed, subscription.addons_set, subscription.portal_link_created, template.created, template.updated, template.deleted, user.updated, user.email_verified, user.password_changed, user.password_reset, user.totp_enabled, user.totp_disabled, user.totp_refused, webhook.created, webhook.updated, webhook.deleted, webhook.secret_rotated, webhook.tested, webhook.replayed, webhook.retried, webhook.recovered, webhook.failing, webhook.paused. */
  action: string
  actor: {
    type: string
    id: string | null
    name: string | null
  }
  target: {
    type: string
    id: string
  }
  ip: string | null
  request_id: string | null
  details: {
    /** The fields that an update changed. */
    changes?: {
      [name: string]: {
        from: unknown
        to: unknown
        /** True if the log has no values of the field. Both are null then. */
        redacted?: boolean
      }
    }
    [name: string]: unknown
  }
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type BlockRequest = {
  people: string[]
}

export type BlockedPerson = {
  /** The person as the request named them; in a list, the number, else the user id. */
  person: string
  wa_id: string | null
  user_id: string | null
}

export type BudgetEventData = {
  channel: {
    id: string
    name: string
    external_id: string | null
    status: 'pending' | 'active' | 'degraded' | 'disconnected'
    phone_number_id: string | null
    waba_id: string | null
    display_phone_number: string | null
    verified_name: string | null
    coexistence: boolean
  }
  /** The part of the budget that was reached. */
  percent: 80 | 100
  /** The estimate of the month so far, in minor units of the currency such as cents, rounded down. */
  amount: number
  /** The currency of the rate card, by ISO 4217. */
  currency: string
}

/** The content of a tap on a button of a template. */
export type ButtonContent = {
  /** The text of the button. */
  text: string
  /** The payload that the template set for the button. */
  payload: string
  [name: string]: unknown
}

export type ButtonInteractive = {
  type: 'button'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body: InteractiveBody
  action: {
    /** Each `id` and each `title` occurs once. */
    buttons: ReplyButton[]
  }
}

export type ButtonTemplateComponent = {
  type: 'button'
  sub_type: string
  /** The place of the button, from 0 to 9, as a number or as text.. */
  index?: number
  parameters?: TemplateParameter[]
}

export type CallParameters = {
  display_text?: string
  ttl_minutes?: number
  payload?: string
}

export type CallPermissionRequestInteractive = {
  type: 'call_permission_request'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body?: InteractiveBody
  action: {
    name: 'call_permission_request'
  }
}

export type CallReceivedEvent = {
  id: string
  event: 'call.received'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: CallReceivedEventData
}

export type CallReceivedEventData = {
  /** The upstream's call without its `session`, which is in upstream.raw. */
  call: {
    id: string
    from?: string
    to?: string
    event?: string
    direction?: string
    status?: string
    [name: string]: unknown
  }
}

export type CallStatusEvent = {
  id: string
  event: 'call.status'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: CallStatusEventData
}

export type CallStatusEventData = {
  /** The upstream's status of a call (RINGING, ACCEPTED or REJECTED); or the call, without its `session`, when it ends or the business makes it. */
  call: {
    id: string
    from?: string
    to?: string
    event?: string
    direction?: string
    status?: string
    [name: string]: unknown
  }
}

/** A link, or quick replies in `buttons`. */
export type CardAction = QuickReplyAction | LinkAction

export type CardHeader = ImageCardHeader | VideoCardHeader

export type CarouselInteractive = {
  type: 'carousel'
  body: InteractiveBody
  action: {
    /** All with links, all with quick replies, or all products. Each `card_index` occurs once. */
    cards: InteractiveCard[]
  }
}

export type CarouselTemplateComponent = {
  type: 'carousel'
  cards: TemplateCard[]
}

export type CatalogMessageInteractive = {
  type: 'catalog_message'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body: InteractiveBody
  action: {
    name: 'catalog_message'
    parameters?: {
      thumbnail_product_retailer_id?: string
    }
  }
}

export type ChangedMessageEventData = {
  message: MessageEntry
  original_upstream_message_id: string | null
}

export type Channel = {
  id: string
  name: string
  type: 'messaging'
  status: 'pending' | 'active' | 'degraded' | 'disconnected'
  external_id: string | null
  phone_number_id: string | null
  waba_id: string | null
  display_phone_number: string | null
  verified_name: string | null
  quality_rating: string | null
  username: string | null
  coexistence: boolean
  /** Set to `events` if the chats that a number of the Business app had before it was connected become history.message events, else `off`. */
  import_history: 'off' | 'events'
  monthly_budget: number | null
  subscribed_ok?: boolean
  /** The address that existing Cloud API software uses in place of `https://graph.facebook.com`, with or without a version after it. It takes the channel token. */
  graph_url: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  updated_at: string
}

export type ChannelConnectedEvent = {
  id: string
  event: 'channel.connected'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ChannelConnectedEventData
}

export type ChannelConnectedEventData = {
  channel: {
    id: string
    name: string
    external_id: string | null
    status: 'pending' | 'active' | 'degraded' | 'disconnected'
    phone_number_id: string | null
    waba_id: string | null
    display_phone_number: string | null
    verified_name: string | null
    coexistence: boolean
  }
  reason: string | null
  /** The metadata of the connect link with which the number was connected. Absent if the link had none, and for a channel that works again. */
  metadata?: {
    [name: string]: unknown
  }
}

/** The second form is for an endpoint in the compat format. */
export type ChannelConnectedPayload = ChannelConnectedEvent | CompatLifecycle

export type ChannelCreated = {
  channel: CreatedChannel
  webhook_id?: string
  connect_url?: string
  secret?: string
  warning?: string
}

export type ChannelCreatedEvent = {
  id: string
  event: 'channel.created'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ChannelEventData
}

export type ChannelDegradedEvent = {
  id: string
  event: 'channel.degraded'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ChannelEventData
}

/** The second form is for an endpoint in the compat format. */
export type ChannelDegradedPayload = ChannelDegradedEvent | CompatLifecycle

export type ChannelDeleted = {
  archived: boolean
  changed: boolean
  deregistro: 'feito' | 'falhou' | 'nao-solicitado' | 'sem-numero' | 'sem-credencial'
}

export type ChannelDisconnectedEvent = {
  id: string
  event: 'channel.disconnected'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ChannelEventData
}

/** The second form is for an endpoint in the compat format. */
export type ChannelDisconnectedPayload = ChannelDisconnectedEvent | CompatLifecycle

export type ChannelEventData = {
  channel: {
    id: string
    name: string
    external_id: string | null
    status: 'pending' | 'active' | 'degraded' | 'disconnected'
    phone_number_id: string | null
    waba_id: string | null
    display_phone_number: string | null
    verified_name: string | null
    coexistence: boolean
  }
  reason: string | null
}

export type ChannelResponse = {
  channel: Channel
}

export type Check = {
  id: 'token' | 'number' | 'subscription' | 'webhook_signature' | 'endpoints'
  status: 'ok' | 'warning' | 'failing' | 'skipped'
  /** The reason for the result of the check, to translate its message and its remedy by. New versions add reasons. */
  reason: string
  /** The values in the message, texts and numbers by name, for clients that translate it by `reason`. An empty object if there are none. */
  parameters: {
    [name: string]: unknown
  }
  message: string
  remedy: string | null
}

export type CheckoutBody = {
  plan: 'starter' | 'pro'
}

export type CheckoutResponse = CheckoutView

export type CheckoutView = {
  checkout_url: string
}

export type CompatLifecycle = {
  event_type: 'channel_connected' | 'channel_disconnected'
  channel_id: string
  external_id: string | null
  phone_number_id: string | null
  waba_id: string | null
  /** The value is empty until it is known. */
  display_phone_number: string
  /** The value is empty until it is known. */
  verified_name: string
  meta_connection: {
    phone_number_id: string | null
    waba_id: string | null
    /** The value is empty until it is known. */
    display_phone_number: string
    /** The value is empty until it is known. */
    verified_name: string
    /** The number in digits only. */
    phone_number: string
  }
  channel: {
    id: string
    channel_id: string
    external_id: string | null
    phone_number_id: string | null
    waba_id: string | null
    /** The value is empty until it is known. */
    display_phone_number: string
    /** The value is empty until it is known. */
    verified_name: string
  }
  data: {
    external_id: string | null
    phone_number_id: string | null
    waba_id: string | null
    /** The value is empty until it is known. */
    display_phone_number: string
    /** The value is empty until it is known. */
    verified_name: string
    channel_id: string
  }
}

export type ConnectLinkOptions = {
  /** The address to which the page of the link offers to return once the number is connected: an https URL without a user name and password. The page shows its host before and after, and the hub adds nothing to it. */
  success_url?: string
  /** The address to which the page offers to return without a connected number: an https URL without a user name and password. */
  failure_url?: string
  /** The language in which the page opens. Without it the page opens in the browser's language, or in the organization's if it has no texts in that one. The person can choose another one. */
  language?: 'en' | 'pt-BR' | 'es'
  /** An object of at most 2 KB as JSON in UTF-8, for your own ids. It comes back in the `channel.connected` event of the connection that is made with this link. */
  metadata?: {
    [name: string]: unknown
  }
}

export type ConnectLinkResponse = {
  connect_url: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  expires_at: string
}

export type ConnectWithToken = {
  /** A token of the upstream, without spaces. */
  access_token: string
  /** An id of the upstream, digits only. */
  waba_id: string
  /** An id of the upstream, digits only. */
  phone_number_id: string
  coexistence?: boolean
  /** The PIN has six digits. */
  pin?: string
}

export type Contact = {
  name: string | null
  user_id: string | null
  /** Absent unless the upstream gave one. */
  parent_user_id?: string
  /** Absent unless the upstream gave one. */
  username?: string
  /** The number as the upstream writes it in the person's contact, which may differ from `from` or `to` by a digit. Absent unless the upstream gave one. */
  wa_id?: string
  /** Changes when the person's identity key does. Absent unless the upstream gave one. */
  identity_key_hash?: string
}

export type ContactAddress = {
  street?: string
  city?: string
  state?: string
  zip?: string
  country?: string
  country_code?: string
  type?: string
}

export type ContactCard = {
  name: ContactName
  phones?: ContactPhone[]
  emails?: ContactEmail[]
  addresses?: ContactAddress[]
  org?: ContactOrganization
  urls?: ContactUrl[]
  /** A day such as 1987-05-31. */
  birthday?: string
}

export type ContactChangedEvent = {
  id: string
  event: 'contact.changed'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ContactChangedEventData
}

export type ContactChangedEventData = {
  contact: Contact | null
  previous: {
    /** The number before. Absent unless it changed. */
    wa_id?: string
    /** The user id before. Absent unless the upstream gave it. */
    user_id?: string
    /** The parent user id before. Absent unless the upstream gave it. */
    parent_user_id?: string
  }
}

export type ContactEmail = {
  email?: string
  type?: string
}

export type ContactName = {
  formatted_name: string
  first_name?: string
  last_name?: string
  middle_name?: string
  prefix?: string
  suffix?: string
}

export type ContactOrganization = {
  company?: string
  department?: string
  title?: string
}

export type ContactPhone = {
  phone?: string
  type?: string
  wa_id?: string
}

export type ContactPreferencesEvent = {
  id: string
  event: 'contact.preferences'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ContactPreferencesEventData
}

export type ContactPreferencesEventData = {
  contact: Contact | null
  preference: {
    /** The kind of messages that the preference is about, such as marketing_messages. */
    category: string
    /** The choice of the contact: stop, resume or signup. */
    value: string
    detail: string | null
  }
}

export type ContactSyncedEvent = {
  id: string
  event: 'contact.synced'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ContactSyncedEventData
}

export type ContactSyncedEventData = {
  /** Up to 100 contacts. A longer list arrives in several events. */
  contacts: {
    /** The number in digits. */
    wa_id: string
    name: string | null
    first_name: string | null
    action: string | null
  }[]
}

export type ContactUrl = {
  url?: string
  type?: string
}

export type ContactsAddressedMessageBody = {
  type: 'contacts'
  contacts: ContactCard[]
}

/** The content of a message of contacts. */
export type ContactsContent = SharedContact[]

export type ContactsMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'contacts'
  contacts: ContactCard[]
}

export type CostBudgetReachedEvent = {
  id: string
  event: 'cost.budget_reached'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: BudgetEventData
}

export type CostFigures = {
  /** Messages for which the upstream has named a price, free ones included. */
  messages: number
  /** The number of these messages that the upstream charges. */
  charged: number
  /** The number of charged messages for which the rate card has no rate. They are not part of `cost`. */
  without_rate: number
  cost: string | null
}

export type CostGroup = {
  /** The id of the channel, the category, the country as two letters or `unknown`, or the day in UTC. */
  key: string
  name: string | null
  /** Messages for which the upstream has named a price, free ones included. */
  messages: number
  /** The number of these messages that the upstream charges. */
  charged: number
  /** The number of charged messages for which the rate card has no rate. They are not part of `cost`. */
  without_rate: number
  cost: string | null
  /** The same figures by category, the most messages first. */
  categories: CostOfCategory[]
}

export type CostOfCategory = {
  category: string
  /** Messages for which the upstream has named a price, free ones included. */
  messages: number
  /** The number of these messages that the upstream charges. */
  charged: number
  /** The number of charged messages for which the rate card has no rate. They are not part of `cost`. */
  without_rate: number
  cost: string | null
}

export type CostReport = {
  /** The first day, in UTC. */
  since: string
  /** The day after the last one, in UTC. */
  until: string
  group_by: 'channel' | 'category' | 'country' | 'day'
  currency: string | null
  rate_card_from: string | null
  /** Days in their order, other groups with the most messages first. */
  groups: CostGroup[]
  total: CostFigures
}

export type CostReportResponse = {
  costs: CostReport
}

export type CouponCodeTemplateParameter = {
  type: 'coupon_code'
  coupon_code: string
}

export type CreateApiKey = {
  /** The name is one line of 1 to 100 characters, without control characters, and is not blank. */
  name: string
  scopes: (
    | 'channels:read'
    | 'channels:write'
    | 'messages:read'
    | 'messages:send'
    | 'media:write'
    | 'templates:read'
    | 'templates:write'
    | 'profile:write'
    | 'calls:write'
    | 'number:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'billing:read'
    | 'billing:write'
    | 'audit:read'
  )[]
  expires_at?: string | null
}

export type CreateChannel = {
  /** The name is one line of 1 to 100 characters, without control characters, and is not blank. */
  name: string
  type?: 'messaging'
  external_id?: string | null
  webhook_url?: string
  webhook_secret?: string
  webhook_events?: ('channel_connected' | 'channel_auto_imported' | 'channel_disconnected' | 'event_received')[]
}

export type CreateListener = {
  /** An empty list means every kind. Default: []. */
  event_types?: (
    | 'channel.created'
    | 'channel.connected'
    | 'channel.degraded'
    | 'channel.disconnected'
    | 'message.received'
    | 'message.sent'
    | 'message.status'
    | 'message.echo'
    | 'message.edited'
    | 'message.revoked'
    | 'payment.status'
    | 'contact.preferences'
    | 'contact.changed'
    | 'contact.synced'
    | 'call.received'
    | 'call.status'
    | 'group.changed'
    | 'flow.status'
    | 'history.message'
    | 'template.status'
    | 'phone.quality'
    | 'account.update'
    | 'endpoint.paused'
    | 'cost.budget_reached'
    | 'upstream.raw'
    | 'webhook.test'
  )[]
  /** Default: "normalized". */
  payload_mode?: 'normalized' | 'upstream_raw'
  /** Default: true. */
  all_channels?: boolean
  /** Only if all_channels is false. Default: []. */
  channel_ids?: string[]
  /** The secret of the listener: `whsec_` and 32 random bytes in base64url. The hub makes one by default. */
  secret?: string
}

export type CreateTemplate = {
  /** The name has 1 to 512 lower-case letters, digits and underscores. */
  name: string
  /** The language code, such as pt_BR. */
  language: string
  /** The category is AUTHENTICATION, MARKETING or UTILITY, in upper or lower case. */
  category: string
  components: {
    type: string
    [name: string]: unknown
  }[]
  parameter_format?: 'POSITIONAL' | 'NAMED'
  message_send_ttl_seconds?: number
}

export type CreateWebhook = {
  /** The name is one line of 1 to 100 characters, without control characters, and is not blank. */
  name: string
  url: string
  /** An empty list means every kind. Default: []. */
  event_types?: (
    | 'channel.created'
    | 'channel.connected'
    | 'channel.degraded'
    | 'channel.disconnected'
    | 'message.received'
    | 'message.sent'
    | 'message.status'
    | 'message.echo'
    | 'message.edited'
    | 'message.revoked'
    | 'payment.status'
    | 'contact.preferences'
    | 'contact.changed'
    | 'contact.synced'
    | 'call.received'
    | 'call.status'
    | 'group.changed'
    | 'flow.status'
    | 'history.message'
    | 'template.status'
    | 'phone.quality'
    | 'account.update'
    | 'endpoint.paused'
    | 'cost.budget_reached'
    | 'upstream.raw'
    | 'webhook.test'
  )[]
  /** Default: "normalized". */
  payload_mode?: 'normalized' | 'upstream_raw'
  /** Default: "native". */
  delivery_format?: 'native' | 'compat'
  /** The destination of `url` of a file in a message. `upstream`: to Meta, as received. `hub`: to `/graph/{media_id}/content` of the hub, which takes the channel token and does not expire. Default: "upstream". */
  media_urls?: 'upstream' | 'hub'
  /** Default: true. */
  all_channels?: boolean
  /** Only if all_channels is false. Default: []. */
  channel_ids?: string[]
}

export type CreatedChannel = {
  id: string
  /** The channel token, `hub_ch_…`. It is shown here and never again. */
  token: string
  type: 'messaging'
  status: 'pending' | 'active' | 'degraded' | 'disconnected'
  external_id: string | null
}

export type CreatedTemplate = {
  id: string
  status: string | null
  category: string | null
}

export type CtaUrlInteractive = {
  type: 'cta_url'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body: InteractiveBody
  action: LinkAction
}

export type CtaUrlInteractiveCard = {
  type: 'cta_url'
  card_index: number
  header: CardHeader
  body?: {
    text: string
  }
  action: CardAction
}

export type CurrencyTemplateParameter = {
  type: 'currency'
  currency: {
    fallback_value: string
    code: string
    amount_1000: number
  }
}

export type DateTimeTemplateParameter = {
  type: 'date_time'
  date_time: {
    fallback_value: string
  }
}

export type DeliveriesAcknowledged = {
  /** The number of ids that were not acknowledged before. */
  acknowledged: number
}

export type Delivery = {
  id: string
  event: string
  status: 'pending' | 'processing' | 'retry' | 'succeeded' | 'dead' | 'canceled'
  attempts: number
  /** A time in ISO 8601, in UTC and with milliseconds. */
  next_attempt_at: string
  last_http_status: number | null
  last_error_code: string | null
  delivered_at: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type DeliveryDetail = {
  delivery: Delivery
  attempts: AttemptRecord[]
}

export type Diagnostics = {
  /** A time in ISO 8601, in UTC and with milliseconds. */
  checked_at: string
  overall: 'ok' | 'warning' | 'failing'
  checks: Check[]
}

export type DiagnosticsResponse = {
  diagnostics: Diagnostics
}

export type DocumentAddressedMessageBody = {
  type: 'document'
  document: OutgoingDocument
}

export type DocumentInteractiveHeader = {
  type: 'document'
  document: NamedFileReference
}

export type DocumentMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'document'
  document: OutgoingDocument
}

export type DocumentTemplateParameter = {
  type: 'document'
  document: NamedFileReference
}

/** The content of an edit. */
export type EditContent = {
  /** The upstream's id of the message that was edited. */
  original_message_id: string
  /** The message as it is now. */
  message: {
    type: string
    [name: string]: unknown
  }
  [name: string]: unknown
}

export type EndpointPausedEvent = {
  id: string
  event: 'endpoint.paused'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: EndpointPausedEventData
}

export type EndpointPausedEventData = {
  webhook: {
    id: string
    name: string
  }
  /** The number of consecutive failures with which the endpoint was paused. */
  failures: number
  /** A time in ISO 8601, in UTC and with milliseconds. */
  since: string
}

/** Either `id`, from an upload, or `link`. */
export type FileReference =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
    }

export type FlowEventData = {
  flow_id: string | null
  /** The change as the upstream sent it. */
  change: {
    field?: string
    event?: string
    flow_id?: string
    old_status?: string
    new_status?: string
    message?: string
    [name: string]: unknown
  }
}

export type FlowInteractive = {
  type: 'flow'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body: InteractiveBody
  action: {
    name: 'flow'
    parameters: FlowParameters
  }
}

export type FlowOrCatalogAction = {
  flow_token?: string
  flow_action_data?: {
    [name: string]: unknown
  }
  thumbnail_product_retailer_id?: string
  sections?: {
    [name: string]: unknown
  }[]
}

export type FlowParameters =
  | {
      flow_message_version: '3'
      flow_cta: string
      flow_id: string
      flow_name?: never
      mode?: 'draft' | 'published'
      flow_token?: string
      flow_action?: 'navigate' | 'data_exchange'
      flow_action_payload?: {
        screen: string
        data?: {
          [name: string]: unknown
        }
      }
    }
  | {
      flow_message_version: '3'
      flow_cta: string
      flow_id?: never
      flow_name: string
      mode?: 'draft' | 'published'
      flow_token?: string
      flow_action?: 'navigate' | 'data_exchange'
      flow_action_payload?: {
        screen: string
        data?: {
          [name: string]: unknown
        }
      }
    }

export type FlowStatusEvent = {
  id: string
  event: 'flow.status'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: FlowEventData
}

export type GroupChangedEvent = {
  id: string
  event: 'group.changed'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: GroupEventData
}

export type GroupEventData = {
  group_id: string
  /** The change as the upstream sent it. */
  change: {
    field?: string
    type?: string
    group_id?: string
    subject?: string
    invite_link?: string
    [name: string]: unknown
  }
}

export type HistoryEventData = {
  contact: Contact
  /** Up to 100 messages of the chat with the contact. A longer chat arrives in several events. */
  messages: ({
    upstream_message_id: string
    direction: 'inbound' | 'outbound'
    status: string | null
    from: string | null
    to: string | null
    context: MessageContext | null
    error: {
      code: number | null
      title: string | null
      details: string | null
    } | null
    /** A time in ISO 8601, in UTC and with milliseconds. */
    created_at: string
  } & (
    | { type: 'text'; content: TextContent | null }
    | { type: 'image' | 'video' | 'audio' | 'document' | 'sticker'; content: MediaContent | LinkedMediaContent | null }
    | { type: 'location'; content: LocationContent | null }
    | { type: 'contacts'; content: ContactsContent | null }
    | { type: 'reaction'; content: ReactionContent | null }
    | { type: 'button'; content: ButtonContent | null }
    | { type: 'interactive'; content: InteractiveContent | null }
    | { type: 'order'; content: OrderContent | null }
    | { type: 'template'; content: TemplateContent | null }
    | { type: 'system'; content: SystemContent | null }
    | { type: 'edit'; content: EditContent | null }
    | { type: 'revoke'; content: RevokeContent | null }
    | { type: 'unsupported' | 'request_welcome' | 'unknown'; content: UnknownContent | null }
  ))[]
  phase: number | null
  progress: number | null
}

export type HistoryMessageEvent = {
  id: string
  event: 'history.message'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: HistoryEventData
}

export type ImageAddressedMessageBody = {
  type: 'image'
  image: OutgoingImage
}

export type ImageCardHeader = {
  type: 'image'
  image: FileReference
}

export type ImageInteractiveHeader = {
  type: 'image'
  image: FileReference
}

export type ImageMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'image'
  image: OutgoingImage
}

export type ImageTemplateParameter = {
  type: 'image'
  image: FileReference
}

export type Interactive =
  | ButtonInteractive
  | ListInteractive
  | CtaUrlInteractive
  | LocationRequestMessageInteractive
  | FlowInteractive
  | ProductInteractive
  | ProductListInteractive
  | CatalogMessageInteractive
  | CarouselInteractive
  | CallPermissionRequestInteractive
  | VoiceCallInteractive
  | AddressMessageInteractive

export type InteractiveAddressedMessageBody = {
  type: 'interactive'
  interactive: Interactive
}

export type InteractiveBody = {
  text: string
}

export type InteractiveCard = CtaUrlInteractiveCard | ProductInteractiveCard

/** The content of an answer to buttons, a list or a flow, or of such a form. */
export type InteractiveContent = {
  /** The kind of message: button_reply, list_reply, nfm_reply or another answer, or the form that was sent. */
  type: string
  /** The button that the person chose. */
  button_reply?: {
    /** The id that the sender chose. */
    id: string
    title?: string
    [name: string]: unknown
  }
  /** The row that the person chose. */
  list_reply?: {
    /** The id that the sender chose. */
    id: string
    title?: string
    description?: string
    [name: string]: unknown
  }
  /** The answers to a flow. */
  nfm_reply?: {
    name?: string
    body?: string
    /** The answers, as the text of a JSON object. */
    response_json?: string
    [name: string]: unknown
  }
  /** The answer to a request to call. */
  call_permission_reply?: {
    response?: string
    is_permanent?: boolean
    response_source?: string
    [name: string]: unknown
  }
  /** The header of a form that was sent. */
  header?: {
    type?: string
    [name: string]: unknown
  }
  /** The body of a form that was sent. */
  body?: {
    text?: string
    [name: string]: unknown
  }
  /** The footer of a form that was sent. */
  footer?: {
    text?: string
    [name: string]: unknown
  }
  /** The buttons or rows of a form that was sent. */
  action?: {
    [name: string]: unknown
  }
  [name: string]: unknown
}

export type InteractiveFooter = {
  text: string
}

export type InteractiveHeader =
  | TextInteractiveHeader
  | ImageInteractiveHeader
  | VideoInteractiveHeader
  | DocumentInteractiveHeader

export type InteractiveMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'interactive'
  interactive: Interactive
}

export type LinkAction = {
  name: 'cta_url'
  parameters: {
    display_text: string
    /** An absolute http or https URL. */
    url: string
  }
}

/** The content of a file that was sent by its address. */
export type LinkedMediaContent = {
  /** The address that the file was sent with. */
  link: string
  /** The text under the file. */
  caption?: string
  /** The name of a document. */
  filename?: string
  /** True for a voice message. */
  voice?: boolean
}

export type ListInteractive = {
  type: 'list'
  header?: TextInteractiveHeader
  body: ListInteractiveBody
  footer?: InteractiveFooter
  action: {
    button: string
    /** At most 10 rows in all. Several sections need a `title` each. */
    sections: ListSection[]
  }
}

export type ListInteractiveBody = {
  text: string
}

export type ListRow = {
  id: string
  title: string
  description?: string
}

export type ListSection = {
  title?: string
  rows: ListRow[]
}

export type Listener = {
  id: string
  /** The time for which it lives without a connection, in seconds. */
  expires_after_seconds: number
}

export type ListenerCreated = {
  listener: Listener
  /** The key of the signatures, and what attaches a stream again, `whsec_…`. It is shown here only. */
  secret: string
  stream_url: string
}

export type ListenerDeleted = {
  deleted: true
}

export type ListenerLine = {
  type: 'heartbeat' | 'delivery' | 'end'
  id?: string
  /** The kind of the event. */
  event?: string
  event_id?: string
  /** The headers to forward, the signature included. */
  headers?: {
    [name: string]: string
  }
  /** The exact body to forward, as UTF-8 text. */
  body?: string
  reason?: 'stopping' | 'replaced' | 'unauthorized' | 'deleted' | 'expired' | 'too_many_unacknowledged'
  /** True if the listener itself is over. */
  gone?: boolean
  message?: string
}

export type LocationAddressedMessageBody = {
  type: 'location'
  location: OutgoingLocation
}

/** The content of a location. */
export type LocationContent = {
  /** Degrees from -90 to 90. */
  latitude: number
  /** Degrees from -180 to 180. */
  longitude: number
  /** The name of the place. */
  name?: string
  /** The address of the place. */
  address?: string
  /** A page about the place. */
  url?: string
  [name: string]: unknown
}

export type LocationMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'location'
  location: OutgoingLocation
}

export type LocationRequestMessageInteractive = {
  type: 'location_request_message'
  body: InteractiveBody
  action: {
    name: 'send_location'
  }
}

export type LocationTemplateParameter = {
  type: 'location'
  location: TemplateLocation
}

export type MarkRead = {
  /** True shows the person that an answer is being written, for 25 seconds or until a message arrives. */
  typing?: boolean
}

export type MarkedRead = {
  message: {
    id: string
    upstream_message_id: string
    read: true
  }
}

export type MarketingMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'template'
  template: MessageTemplate
  /** Says what happens to a message that the Marketing Messages API cannot send: it is sent as an ordinary message, or refused. */
  product_policy?: 'CLOUD_API_FALLBACK' | 'STRICT'
  /** True lets the upstream use what the person does with this message for its own ranking. */
  message_activity_sharing?: boolean
}

/** The content of an image, a video, a recording, a document or a sticker. */
export type MediaContent = {
  /** The upstream's id of the file. */
  id: string
  /** The type of the file, such as image/jpeg. Files that people send have one. */
  mime_type?: string
  /** The SHA-256 of the file in base64. Files that people send have one. */
  sha256?: string
  /** The address of the file. It needs a credential and expires after a few minutes. */
  url?: string
  /** The text under the file. */
  caption?: string
  /** The name of a document. */
  filename?: string
  /** True for a voice message, false for another recording. */
  voice?: boolean
  /** True for an animated sticker. */
  animated?: boolean
  [name: string]: unknown
}

export type MediaUpload = {
  file: FileInput
}

export type MediaUploaded = {
  media: UploadedMedia
}

/** A message to one person, with the member that `type` names. Members that are null count as absent. */
export type MessageBody =
  | TextMessageBody
  | ImageMessageBody
  | AudioMessageBody
  | VideoMessageBody
  | DocumentMessageBody
  | StickerMessageBody
  | LocationMessageBody
  | ContactsMessageBody
  | ReactionMessageBody
  | InteractiveMessageBody
  | TemplateMessageBody

/** The object that the type of the message names. */
export type MessageContent =
  | TemplateContent
  | OrderContent
  | EditContent
  | RevokeContent
  | ReactionContent
  | ButtonContent
  | LocationContent
  | InteractiveContent
  | SystemContent
  | TextContent
  | MediaContent
  | LinkedMediaContent
  | ContactsContent

/** The message or product that this message refers to, as the upstream says it. */
export type MessageContext = {
  /** The upstream's id of the message that this one answers. */
  id?: string
  /** The sender of that message. */
  from?: string
  /** True if the message was forwarded. */
  forwarded?: boolean
  /** True if it was forwarded more than five times. */
  frequently_forwarded?: boolean
  /** The product asked about. */
  referred_product?: {
    catalog_id?: string
    product_retailer_id?: string
    [name: string]: unknown
  }
  [name: string]: unknown
}

export type MessageEchoEvent = {
  id: string
  event: 'message.echo'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: MessageEventData
}

export type MessageEditedEvent = {
  id: string
  event: 'message.edited'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ChangedMessageEventData
}

export type MessageEntry = {
  id: string
  channel_id: string
  direction: 'inbound' | 'outbound'
  status: 'received' | 'sending' | 'unknown' | 'accepted' | 'sent' | 'failed' | 'delivered' | 'read'
  from: string | null
  to: string | null
  contact: Contact | null
  upstream_message_id: string | null
  context: MessageContext | null
  error: {
    code: number | null
    title: string | null
    details: string | null
  } | null
  pricing: MessagePricing | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
} & (
  | { type: 'text'; content: TextContent | null }
  | { type: 'image' | 'video' | 'audio' | 'document' | 'sticker'; content: MediaContent | LinkedMediaContent | null }
  | { type: 'location'; content: LocationContent | null }
  | { type: 'contacts'; content: ContactsContent | null }
  | { type: 'reaction'; content: ReactionContent | null }
  | { type: 'button'; content: ButtonContent | null }
  | { type: 'interactive'; content: InteractiveContent | null }
  | { type: 'order'; content: OrderContent | null }
  | { type: 'template'; content: TemplateContent | null }
  | { type: 'system'; content: SystemContent | null }
  | { type: 'edit'; content: EditContent | null }
  | { type: 'revoke'; content: RevokeContent | null }
  | { type: 'unsupported' | 'request_welcome' | 'unknown'; content: UnknownContent | null }
)

export type MessageEventData = {
  message: MessageEntry
  statuses_detail?: MessageStatusDetail
}

/** The category and model of the price, as the upstream says them. */
export type MessagePricing = {
  /** True if the message costs something. */
  billable?: boolean
  /** The way in which the upstream counts, such as PMP for each message. */
  pricing_model?: string
  /** The reason why it costs something or not: regular, free_customer_service or free_entry_point. */
  type?: string
  /** The category of the price, such as marketing, utility or service. */
  category?: string
  [name: string]: unknown
}

export type MessageReceivedEvent = {
  id: string
  event: 'message.received'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: MessageEventData
}

export type MessageResponse = {
  message: MessageEntry
}

export type MessageRevokedEvent = {
  id: string
  event: 'message.revoked'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: ChangedMessageEventData
}

export type MessageSentEvent = {
  id: string
  event: 'message.sent'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: MessageEventData
}

/** The upstream's status object, unchanged. */
export type MessageStatusDetail = {
  /** The upstream's id of the message. */
  id?: string
  /** The status that the upstream reported: sent, delivered, read, played or failed. */
  status?: string
  /** The time at which it happened, in seconds since the Unix epoch, as text. */
  timestamp?: string
  /** The number of the recipient. */
  recipient_id?: string
  /** The user id of the recipient. */
  recipient_user_id?: string
  /** The data that the send gave to be repeated here. */
  biz_opaque_callback_data?: string
  pricing?: MessagePricing
  errors?: {
    code?: number
    title?: string
    message?: string
    href?: string
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

export type MessageStatusEvent = {
  id: string
  event: 'message.status'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: MessageEventData
}

export type MessageTemplate = {
  /** The name has 1 to 512 lower-case letters, digits and underscores. */
  name: string
  language: {
    /** The language code, such as pt_BR. */
    code: string
    policy?: 'deterministic'
  }
  components?: TemplateComponent[]
}

/** Either `id`, from an upload, or `link`. */
export type NamedFileReference =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
      filename?: string
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
      filename?: string
    }

export type NumberEventData = {
  number: {
    phone_number_id: string
    display_phone_number: string | null
    verified_name: string | null
    quality_rating: string | null
  }
  /** The change as the upstream sent it. */
  change: {
    display_phone_number?: string
    /** The change of the quality or the limit, such as DOWNGRADE. */
    event?: string
    current_limit?: string
    old_limit?: string
    /** The decision about a new name. */
    decision?: string
    requested_verified_name?: string
    rejection_reason?: string | null
    [name: string]: unknown
  }
}

/** The content of an order. */
export type OrderContent = {
  /** The catalog of the products. */
  catalog_id: string
  /** The text that the person wrote with the order. */
  text?: string
  product_items: {
    product_retailer_id?: string
    quantity?: number
    item_price?: number
    currency?: string
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

/** Passed on as it is. */
export type OtherInteractive = {
  /** Any other type. */
  type: string
  [name: string]: unknown
}

/** Passed on as it is. */
export type OtherInteractiveCard = {
  /** Any other type. */
  type: string
  [name: string]: unknown
}

/** Passed on as it is. */
export type OtherTemplateCardComponent = {
  /** Any other type. */
  type: string
  [name: string]: unknown
}

/** Passed on as it is. */
export type OtherTemplateComponent = {
  /** Any other type. */
  type: string
  [name: string]: unknown
}

/** Passed on as it is. */
export type OtherTemplateParameter = {
  /** Any other type. */
  type: string
  [name: string]: unknown
}

/** Either `id`, from an upload, or `link`. */
export type OutgoingAudio =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
      voice?: boolean
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
      voice?: boolean
    }

/** Either `id`, from an upload, or `link`. */
export type OutgoingDocument =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
      caption?: string
      filename?: string
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
      caption?: string
      filename?: string
    }

/** Either `id`, from an upload, or `link`. */
export type OutgoingImage =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
      caption?: string
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
      caption?: string
    }

export type OutgoingLocation = {
  /** From -90 to 90, as a number or as text. */
  latitude: number
  /** From -180 to 180, as a number or as text. */
  longitude: number
  name?: string
  address?: string
}

export type OutgoingReaction = {
  message_id: string
  /** The emoji of the reaction. An empty text removes it. */
  emoji: string
}

/** Either `id`, from an upload, or `link`. */
export type OutgoingSticker =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
    }

export type OutgoingText = {
  body: string
  preview_url?: boolean
}

/** Either `id`, from an upload, or `link`. */
export type OutgoingVideo =
  | {
      /** The id of an uploaded file. */
      id: string
      /** An absolute http or https URL. */
      link?: never
      caption?: string
    }
  | {
      /** The id of an uploaded file. */
      id?: never
      /** An absolute http or https URL. */
      link: string
      caption?: string
    }

export type ParametersTemplateComponent = {
  type: 'header' | 'body' | 'limited_time_offer'
  parameters?: TemplateParameter[]
}

export type Pause = {
  /** A time in ISO 8601, in UTC and with milliseconds. */
  from: string
  to: string | null
  /** `failures`: the hub paused the endpoint after twenty failures in a row. */
  cause: 'failures' | 'person'
  actor: {
    type: string
    id: string | null
    name: string | null
  } | null
  ended_by: {
    type: string
    id: string | null
    name: string | null
  } | null
  events_not_sent: number | null
  /** True if there were more events than the hub counts. */
  is_capped: boolean
}

export type PayloadTemplateParameter = {
  type: 'payload'
  payload: string
}

export type PaymentEventData = {
  message_id: string | null
  upstream_message_id: string
  /** The upstream's status of the payment: pending, captured or failed. */
  status: string
  payment: {
    /** The reference that the order was sent with. */
    reference_id?: string
    amount?: {
      /** The amount multiplied by `offset`. */
      value?: number
      offset?: number
      [name: string]: unknown
    }
    currency?: string
    transaction?: {
      id?: string
      type?: string
      status?: string
      [name: string]: unknown
    }
    [name: string]: unknown
  } | null
}

export type PaymentStatusEvent = {
  id: string
  event: 'payment.status'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: PaymentEventData
}

export type PeopleBlocked = {
  blocked: BlockedPerson[]
  failed: PersonNotChanged[]
}

export type PeopleUnblocked = {
  unblocked: BlockedPerson[]
  failed: PersonNotChanged[]
}

export type PersonNotChanged = {
  /** The person as the request named them. */
  person: string
  code: number | null
  title: string | null
}

export type PhoneQualityEvent = {
  id: string
  event: 'phone.quality'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: NumberEventData
}

export type PortalResponse = {
  /** The address of the page, which works once. */
  portal_url: string
}

export type PreviewBody = {
  /** The number of additional connections in all. */
  total: number
}

export type PreviewResponse = {
  preview: PreviewView
}

export type PreviewView = {
  total: number
  /** The amount in minor units of the currency. A credit is negative. */
  amount_due: number
  /** The currency as three lower-case letters. */
  currency: string
  recurring: {
    /** The price of the whole subscription per interval after the change, in minor units. */
    amount: number
    interval: 'day' | 'week' | 'month' | 'year'
    /** The number of intervals between two charges. */
    interval_count: number
  } | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  proration_date: string
}

export type ProductInteractive = {
  type: 'product'
  body?: InteractiveBody
  footer?: InteractiveFooter
  action: {
    catalog_id: string
    product_retailer_id: string
  }
}

export type ProductInteractiveCard = {
  type: 'product'
  card_index: number
  action: {
    product_retailer_id: string
    catalog_id: string
  }
}

export type ProductListInteractive = {
  type: 'product_list'
  header: TextInteractiveHeader
  body: InteractiveBody
  footer?: InteractiveFooter
  action: {
    catalog_id: string
    /** At most 30 products in all. Several sections need a `title` each. */
    sections: ProductSection[]
  }
}

export type ProductSection = {
  title?: string
  product_items: {
    product_retailer_id: string
  }[]
}

export type QrCode = {
  code: string
  prefilled_message: string
  /** Opens the chat with the text, as the picture does. */
  deep_link_url: string
  qr_image_url: string | null
}

export type QrCodeDeleted = {
  code: string
  deleted: boolean
}

export type QrCodeResponse = {
  qr_code: QrCode
}

export type QuickReplyAction = {
  buttons: {
    type: 'quick_reply'
    quick_reply: {
      id: string
      title: string
    }
  }[]
}

export type ReactionAddressedMessageBody = {
  type: 'reaction'
  reaction: OutgoingReaction
}

/** The content of a reaction. */
export type ReactionContent = {
  /** The upstream's id of the message that the reaction is to. */
  message_id: string
  /** The reaction. Empty or absent if it was taken back. */
  emoji?: string
  [name: string]: unknown
}

export type ReactionMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'reaction'
  reaction: OutgoingReaction
}

export type Recover = {
  /** A time in ISO 8601, in UTC and with milliseconds. */
  since: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  until?: string
  statuses?: ('dead' | 'canceled')[]
}

export type Recovered = {
  queued: number
}

export type RegenerateToken = {
  scopes?: (
    | 'channels:read'
    | 'messages:read'
    | 'templates:read'
    | 'messages:send'
    | 'media:write'
    | 'profile:write'
    | 'templates:write'
    | 'calls:write'
    | 'number:write'
  )[]
}

export type Replayed = {
  delivery_id: string
  event_id: string
  replay_of_delivery_id: string
  status: 'pending'
}

export type ReplyButton = {
  type: 'reply'
  reply: {
    id: string
    title: string
  }
}

export type ReportedCosts = {
  /** The first day, in UTC. */
  since: string
  /** The day after the last one, in UTC. */
  until: string
  /** False if the upstream does not let the channel’s credential read its figures. */
  is_available: boolean
  reason: {
    code: number | null
    title: string | null
  } | null
  currency: string | null
  /** The figures of each category, named as in statuses, such as `marketing`. The one with the most messages is first. */
  categories: {
    category: string
    messages: number
    cost: string | null
  }[]
  total: {
    messages: number
    cost: string | null
  }
}

export type ReportedCostsResponse = {
  reported_costs: ReportedCosts
}

export type Retried = {
  delivery_id: string
  event_id: string
  status: 'retry'
}

/** The content of a deletion. */
export type RevokeContent = {
  /** The upstream's id of the message that was deleted. */
  original_message_id: string
  [name: string]: unknown
}

export type RotateSecret = {
  /** For how long deliveries are also signed with the previous secret, in the header `X-Hub-Signature-256-Previous`. 0, the default, makes it invalid at once. */
  overlap_seconds?: number
}

export type SaveQrCode = {
  /** The text that stands in the chat of a person who scans the code. */
  prefilled_message: string
  /** The format of the picture in `qr_image_url`, which is null without it. */
  image?: 'svg' | 'png'
}

export type SecretRotated = {
  /** The key of the signatures, `whsec_…`, the whole text. It is shown here only. */
  secret: string
  warning: string
  /** The end of the time in which deliveries are also signed with the previous secret. Absent if it is over. */
  previous_valid_until?: string
}

export type SendResponse = {
  message: AcceptedMessage
}

export type SetUsername = {
  /** The username has 3 to 35 letters, digits, periods and underscores. */
  username: string
}

/** One of the contacts of a message. */
export type SharedContact = {
  name?: {
    formatted_name?: string
    first_name?: string
    last_name?: string
    middle_name?: string
    [name: string]: unknown
  }
  phones?: {
    phone?: string
    type?: string
    wa_id?: string
    [name: string]: unknown
  }[]
  emails?: {
    email?: string
    type?: string
    [name: string]: unknown
  }[]
  urls?: {
    url?: string
    type?: string
    [name: string]: unknown
  }[]
  org?: {
    company?: string
    department?: string
    title?: string
    [name: string]: unknown
  }
  /** A day such as 1987-05-31. */
  birthday?: string
  /** The contact as a vCard. */
  vcard?: string
  [name: string]: unknown
}

export type StickerAddressedMessageBody = {
  type: 'sticker'
  sticker: OutgoingSticker
}

export type StickerMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'sticker'
  sticker: OutgoingSticker
}

export type SubscriptionResponse = SubscriptionView

export type SubscriptionView = {
  subscription: {
    plan: 'free' | 'starter' | 'pro'
    status: 'none' | 'pending_payment' | 'active' | 'past_due' | 'suspended' | 'canceled'
    /** The number of additional connections. */
    addons: number
    current_period_end: string | null
    cancels_at: string | null
  }
  quotas: {
    channels: {
      limit: number | null
      used: number
    }
    webhook_endpoints: {
      limit: number | null
      used: number
    }
  }
  usage: UsageView
}

/** The content of a notice about a person. */
export type SystemContent = {
  /** The kind of change, such as user_changed_number. */
  type: string
  /** A sentence about it. */
  body: string
  /** The new number of the person. */
  wa_id?: string
  /** The new user id of the person. */
  user_id?: string
  /** The user id before. */
  previous_user_id?: string
  [name: string]: unknown
}

/** A template as the upstream describes it. Members that are not listed are passed on. */
export type Template = {
  /** The upstream's id of the template in one language. */
  id: string
  /** The name that a send gives. */
  name?: string
  /** The state of the review, such as APPROVED, PENDING, REJECTED, PAUSED or DISABLED. */
  status?: string
  /** The language code, such as pt_BR. */
  language?: string
  /** AUTHENTICATION, MARKETING or UTILITY. */
  category?: string
  /** A finer category, if the upstream gives one. */
  sub_category?: string
  /** POSITIONAL or NAMED. */
  parameter_format?: string
  /** The reason why the review refused it, or NONE. */
  rejected_reason?: string
  quality_score?: {
    /** GREEN, YELLOW, RED or UNKNOWN. */
    score?: string
    [name: string]: unknown
  }
  components?: {
    /** HEADER, BODY, FOOTER, BUTTONS or another part. */
    type: string
    /** The content of a header: TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION. */
    format?: string
    /** The text, with parameters in braces. */
    text?: string
    buttons?: {
      /** QUICK_REPLY, URL or another type. */
      type: string
      /** The text of the button. */
      text?: string
      [name: string]: unknown
    }[]
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

export type TemplateAddressedMessageBody = {
  type: 'template'
  template: MessageTemplate
}

export type TemplateCard = {
  card_index: number
  components: TemplateCardComponent[]
}

export type TemplateCardComponent = ParametersTemplateComponent | ButtonTemplateComponent

export type TemplateComponent = ParametersTemplateComponent | ButtonTemplateComponent | CarouselTemplateComponent

/** The content of a template that was sent. */
export type TemplateContent = {
  /** The name of the template. */
  name: string
  /** The language of the template. */
  language: {
    code?: string
    [name: string]: unknown
  }
  components?: {
    type?: string
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

export type TemplateCreated = {
  template: CreatedTemplate
}

export type TemplateEventData = {
  template: {
    id: string | null
    name: string | null
    language: string | null
    category: string | null
    status: string | null
  }
  /** The change as the upstream sent it. */
  change: {
    /** The new status, such as APPROVED, REJECTED or PAUSED. */
    event?: string
    /** May be greater than 2^53. */
    message_template_id?: number
    message_template_name?: string
    message_template_language?: string
    message_template_category?: string
    reason?: string | null
    previous_category?: string
    new_category?: string
    previous_quality_score?: string
    new_quality_score?: string
    other_info?: {
      title?: string
      description?: string
      [name: string]: unknown
    }
    [name: string]: unknown
  }
}

export type TemplateLocation = {
  /** From -90 to 90, as a number or as text. */
  latitude: number
  /** From -180 to 180, as a number or as text. */
  longitude: number
  name?: string
  address?: string
}

export type TemplateMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'template'
  template: MessageTemplate
}

export type TemplateParameter =
  | TextTemplateParameter
  | CurrencyTemplateParameter
  | DateTimeTemplateParameter
  | ImageTemplateParameter
  | VideoTemplateParameter
  | DocumentTemplateParameter
  | LocationTemplateParameter
  | PayloadTemplateParameter
  | CouponCodeTemplateParameter
  | ActionTemplateParameter

export type TemplateStatusEvent = {
  id: string
  event: 'template.status'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: TemplateEventData
}

export type TestEventData = {
  webhook_id: string
  message: string
}

export type Tested = {
  event_id: string
  delivery_id: string
  status: 'pending'
}

export type TextAddressedMessageBody = {
  type: 'text'
  text: OutgoingText
}

/** The content of a text. */
export type TextContent = {
  /** The text of the message. */
  body: string
  /** True if the sender asked for a preview of a link. */
  preview_url?: boolean
  [name: string]: unknown
}

export type TextInteractiveHeader = {
  type: 'text'
  text: string
}

export type TextMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'text'
  text: OutgoingText
}

export type TextTemplateParameter = {
  type: 'text'
  text: string
  parameter_name?: string
}

export type TokenRegenerated = {
  token: string
  warning: string
}

export type TokenRevoked = {
  revoked: true
}

/** The content of a message of any other type, unchanged. */
export type UnknownContent = {
  /** The kind of the content, if it names one. */
  type?: string
  [name: string]: unknown
}

export type UpdateChannel = {
  /** The name is one line of 1 to 100 characters, without control characters, and is not blank. */
  name?: string
  external_id?: string | null
  /** Set to `events` if the chats that a number of the Business app had before it was connected become history.message events, else `off`. Set it before the number is connected. */
  import_history?: 'off' | 'events'
  monthly_budget?: number | null
}

export type UpdateWebhook = {
  /** The name is one line of 1 to 100 characters, without control characters, and is not blank. */
  name?: string
  url?: string
  /** An empty list means every kind. */
  event_types?: (
    | 'channel.created'
    | 'channel.connected'
    | 'channel.degraded'
    | 'channel.disconnected'
    | 'message.received'
    | 'message.sent'
    | 'message.status'
    | 'message.echo'
    | 'message.edited'
    | 'message.revoked'
    | 'payment.status'
    | 'contact.preferences'
    | 'contact.changed'
    | 'contact.synced'
    | 'call.received'
    | 'call.status'
    | 'group.changed'
    | 'flow.status'
    | 'history.message'
    | 'template.status'
    | 'phone.quality'
    | 'account.update'
    | 'endpoint.paused'
    | 'cost.budget_reached'
    | 'upstream.raw'
    | 'webhook.test'
  )[]
  payload_mode?: 'normalized' | 'upstream_raw'
  /** The destination of `url` of a file in a message. `upstream`: to Meta, as received. `hub`: to `/graph/{media_id}/content` of the hub, which takes the channel token and does not expire. */
  media_urls?: 'upstream' | 'hub'
  all_channels?: boolean
  /** Only if all_channels is false. */
  channel_ids?: string[]
  status?: 'active' | 'paused' | 'disabled'
}

export type UploadedMedia = {
  /** The upstream's id of the file, which a send names. */
  id: string
  /** The type of the file, decided by its bytes. */
  mime_type: string
  size_bytes: number
  /** The SHA-256 of the file in lower-case hex. */
  sha256: string
}

/** `messaging_product` may be in the query instead. Other members are dropped. */
export type UpstreamCall = {
  messaging_product?: 'whatsapp'
  call_id: string
  action: 'reject' | 'terminate'
  [name: string]: unknown
}

export type UpstreamHandle = {
  /** The handle for `example.header_handle` of a template. */
  h: string
}

export type UpstreamHandleForm = {
  file: FileInput
}

export type UpstreamMediaForm = {
  file: FileInput
  messaging_product?: 'whatsapp'
  type?: string
}

export type UpstreamMediaUploaded = {
  id: string
}

/** A message to `to` or `recipient`, with the member that `type` names; or a read receipt, with `status` and `message_id`. */
export type UpstreamMessage = {
  messaging_product?: 'whatsapp'
  recipient_type?: string
  to?: string
  recipient?: string
  type?: string
  biz_opaque_callback_data?: string
  status?: string
  message_id?: string
  [name: string]: unknown
}

export type UpstreamMessageSent = {
  messaging_product?: string
  contacts?: {
    input?: string
    wa_id?: string
    user_id?: string
    [name: string]: unknown
  }[]
  messages?: {
    id: string
    [name: string]: unknown
  }[]
  /** True for a read receipt. */
  success?: boolean
  [name: string]: unknown
}

export type UpstreamProfile = {
  messaging_product?: 'whatsapp'
  about?: string
  address?: string
  description?: string
  email?: string
  profile_picture_handle?: string
  vertical?: string
  websites?: string[]
  [name: string]: unknown
}

export type UpstreamProfileList = {
  data: UpstreamProfile[]
  [name: string]: unknown
}

/** The upstream's own body, byte for byte. */
export type UpstreamRawEvent = {
  [name: string]: unknown
}

export type UpstreamSuccess = {
  success?: boolean
  [name: string]: unknown
}

export type UpstreamTemplate = {
  name: string
  language: string
  category?: string
  components?: {
    type?: string
    [name: string]: unknown
  }[]
  [name: string]: unknown
}

export type UpstreamTemplateCreated = {
  id: string
  status?: string
  category?: string
  [name: string]: unknown
}

export type UpstreamTemplateList = {
  data: {
    id?: string
    name?: string
    language?: string
    category?: string
    status?: string
    [name: string]: unknown
  }[]
  paging?: {
    cursors?: {
      before?: string
      after?: string
      [name: string]: unknown
    }
    previous?: string
    /** The address of the next page at this hub. */
    next?: string
    [name: string]: unknown
  }
  [name: string]: unknown
}

export type UsageResponse = {
  usage: UsageView
}

export type UsageView = {
  /** A time in ISO 8601, in UTC and with milliseconds. */
  period_start: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  period_end: string
  channels: number
  webhook_endpoints: number
  messages_sent: number
  messages_received: number
  deliveries: number
}

export type Username = {
  username: string | null
  status: string | null
}

export type UsernameResponse = {
  username: Username
}

export type VideoAddressedMessageBody = {
  type: 'video'
  video: OutgoingVideo
}

export type VideoCardHeader = {
  type: 'video'
  video: FileReference
}

export type VideoInteractiveHeader = {
  type: 'video'
  video: FileReference
}

export type VideoMessageBody = {
  /** A phone number with its country code, digits only, such as 5511987654321. */
  to: string
  type: 'video'
  video: OutgoingVideo
}

export type VideoTemplateParameter = {
  type: 'video'
  video: FileReference
}

export type VoiceCallInteractive = {
  type: 'voice_call'
  header?: InteractiveHeader
  footer?: InteractiveFooter
  body: InteractiveBody
  action: {
    name: 'voice_call'
    parameters?: CallParameters
  }
}

export type Webhook = {
  id: string
  name: string
  url: string
  /** The event_types as given; an empty list means every kind. */
  events: (
    | 'channel.created'
    | 'channel.connected'
    | 'channel.degraded'
    | 'channel.disconnected'
    | 'message.received'
    | 'message.sent'
    | 'message.status'
    | 'message.echo'
    | 'message.edited'
    | 'message.revoked'
    | 'payment.status'
    | 'contact.preferences'
    | 'contact.changed'
    | 'contact.synced'
    | 'call.received'
    | 'call.status'
    | 'group.changed'
    | 'flow.status'
    | 'history.message'
    | 'template.status'
    | 'phone.quality'
    | 'account.update'
    | 'endpoint.paused'
    | 'cost.budget_reached'
    | 'upstream.raw'
    | 'webhook.test'
  )[]
  payload_mode: 'normalized' | 'upstream_raw'
  delivery_format: 'native' | 'compat'
  /** The destination of `url` of a file in a message. `upstream`: to Meta, as received. `hub`: to `/graph/{media_id}/content` of the hub, which takes the channel token and does not expire. */
  media_urls: 'upstream' | 'hub'
  all_channels: boolean
  status: 'active' | 'paused' | 'disabled'
  consecutive_failures: number
  channel_ids: string[]
  previous_secret_valid_until: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  updated_at: string
}

export type WebhookCreated = {
  webhook: Webhook
  /** The key of the signatures, `whsec_…`, the whole text. It is shown here only. */
  secret: string
  warning: string
}

export type WebhookDeleted = {
  deleted: true
}

export type WebhookResponse = {
  webhook: Webhook
}

export type WebhookTestEvent = {
  id: string
  event: 'webhook.test'
  channel_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  occurred_at: string
  data: TestEventData
}

/**
 * The reason why an error has its code, in snake_case that is never renamed, and the values of its message by name. A hub of
 * an earlier version sends neither.
 */
export type ErrorReason = { reason?: string; parameters?: Record<string, string | number> }

type WithReason<Details> = [Details] extends [null]
  ? ErrorReason | null
  : (NonNullable<Details> & ErrorReason) | Extract<Details, null>

/** Every error code of the hub, with its `details`. */
export type ErrorDetails = {
  INVALID_REQUEST: WithReason<{
    issues?: {
      /** A JSON pointer to the value. */
      path: string
      message: string
      /** The reason why the value is wrong, in snake_case, to translate the message by. */
      reason?: string
      /** The values in the message, texts and numbers by name, for clients that translate it by `reason`. An empty object if there are none. */
      parameters?: {
        [name: string]: unknown
      }
    }[]
    step?: string
    choices?: {
      phone_number_id: string
      display_phone_number?: string | null
      verified_name?: string | null
    }[]
    pin_required?: boolean
  } | null>
  WEBHOOK_URL_NOT_ALLOWED: WithReason<null>
  INVALID_WEBHOOK: WithReason<{
    issues: {
      /** A JSON pointer to the value. */
      path: string
      message: string
      /** The reason why the value is wrong, in snake_case, to translate the message by. */
      reason?: string
      /** The values in the message, texts and numbers by name, for clients that translate it by `reason`. An empty object if there are none. */
      parameters?: {
        [name: string]: unknown
      }
    }[]
  }>
  INVALID_FIELD_MODIFIER: WithReason<null>
  INVALID_CALL: WithReason<null>
  INVALID_MEDIA: WithReason<{
    allowed: string[]
  }>
  INVALID_TEMPLATE_ID: WithReason<null>
  TEMPLATE_NOT_SENDABLE: WithReason<{
    name: string
    language: string
    status: 'PAUSED' | 'DISABLED' | 'REJECTED'
    /** A time in ISO 8601, in UTC and with milliseconds. */
    since: string
  }>
  IDEMPOTENCY_KEY_REUSED: WithReason<null>
  CHANNEL_NOT_CONNECTED: WithReason<null>
  NUMBER_ALREADY_CONNECTED: WithReason<null>
  UPSTREAM_REJECTED: WithReason<{
    step?: string | null
    code?: number | null
    error_subcode?: number | null
    title?: string | null
    details?: string | null
    fbtrace_id?: string | null
    type?: string | null
    error_data?: unknown
  } | null>
  CHECKOUT_NOT_ALLOWED: WithReason<null>
  ADDON_NOT_ALLOWED: WithReason<{
    min: number
    max: number
  } | null>
  BILLING_OFF: WithReason<null>
  UNAUTHORIZED: WithReason<{
    totp_required?: boolean
  } | null>
  INSUFFICIENT_SCOPE: WithReason<{
    scope?: string
  } | null>
  TWO_FACTOR_REQUIRED: WithReason<null>
  ORIGIN_NOT_ALLOWED: WithReason<null>
  SUBSCRIPTION_SUSPENDED: WithReason<null>
  QUOTA_EXCEEDED: WithReason<{
    quota: string
    limit: number
    used: number
  }>
  NOT_FOUND: WithReason<null>
  METHOD_NOT_ALLOWED: WithReason<null>
  REQUEST_TIMEOUT: WithReason<null>
  CONFLICT: WithReason<null>
  OPERATION_IN_PROGRESS: WithReason<null>
  SEND_RESULT_UNKNOWN: WithReason<{
    message_id: string
  }>
  CONNECT_LINK_USED: WithReason<null>
  CONNECT_LINK_EXPIRED: WithReason<null>
  PAYLOAD_TOO_LARGE: WithReason<null>
  MEDIA_TOO_LARGE: WithReason<{
    mime_type: string
    bytes_max: number
  }>
  UNSUPPORTED_MEDIA_TYPE: WithReason<null>
  RANGE_NOT_SATISFIABLE: WithReason<null>
  RATE_LIMITED: WithReason<{
    step?: string | null
    code?: number | null
    error_subcode?: number | null
    title?: string | null
    details?: string | null
    fbtrace_id?: string | null
    type?: string | null
    error_data?: unknown
  } | null>
  HEADERS_TOO_LARGE: WithReason<null>
  INTERNAL_ERROR: WithReason<null>
  UPSTREAM_UNAVAILABLE: WithReason<{
    step?: string | null
    code?: number | null
    error_subcode?: number | null
    title?: string | null
    details?: string | null
    fbtrace_id?: string | null
    type?: string | null
    error_data?: unknown
  } | null>
  NOT_READY: WithReason<null>
  OVERLOADED: WithReason<null>
}

/** The payloads of each kind of event. */
export type EventPayloads = {
  /** A channel was created. */
  'channel.created': ChannelCreatedEvent
  /** A channel was connected, or works again after it did not. */
  'channel.connected': ChannelConnectedPayload
  /** A channel is registered, but the hub cannot do its whole job for it. */
  'channel.degraded': ChannelDegradedPayload
  /** A channel lost its number or its credential, or was deleted. */
  'channel.disconnected': ChannelDisconnectedPayload
  /** A contact sent a message. */
  'message.received': MessageReceivedEvent
  /** The upstream accepted a message that the hub sent. */
  'message.sent': MessageSentEvent
  /** A message was sent, delivered, read or played, or failed. */
  'message.status': MessageStatusEvent
  /** The business sent a message from its own app. */
  'message.echo': MessageEchoEvent
  /** A contact or the business edited a message that it sent. */
  'message.edited': MessageEditedEvent
  /** A contact or the business deleted a message for everyone. */
  'message.revoked': MessageRevokedEvent
  /** The payment that a message asked for is pending, was captured or failed. */
  'payment.status': PaymentStatusEvent
  /** A contact stopped or resumed marketing messages. */
  'contact.preferences': ContactPreferencesEvent
  /** A contact has another number or user id. */
  'contact.changed': ContactChangedEvent
  /** Contacts of the business's own app were added or removed. */
  'contact.synced': ContactSyncedEvent
  /** A contact calls the business. */
  'call.received': CallReceivedEvent
  /** A call rings, was accepted or rejected, or ended; or the business calls a contact. */
  'call.status': CallStatusEvent
  /** A group, its members or its settings changed. */
  'group.changed': GroupChangedEvent
  /** A flow's status changed, or its endpoint has a problem. */
  'flow.status': FlowStatusEvent
  /** Messages from before the number was connected, for a channel that imports its history. */
  'history.message': HistoryMessageEvent
  /** A template's review, quality or category changed. */
  'template.status': TemplateStatusEvent
  /** A number's quality, limit, name or username changed. */
  'phone.quality': PhoneQualityEvent
  /** The number's account changed. */
  'account.update': AccountUpdateEvent
  /** The hub paused an endpoint that kept failing. */
  'endpoint.paused': EndpointPausedEvent
  /** A channel reached 80 or 100 percent of its monthly budget. */
  'cost.budget_reached': CostBudgetReachedEvent
  /** A change as the upstream sent it, for endpoints in the raw mode. */
  'upstream.raw': UpstreamRawEvent
  /** A test of an endpoint was requested. */
  'webhook.test': WebhookTestEvent
}
