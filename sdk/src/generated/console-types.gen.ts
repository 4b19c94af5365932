// Generated from openapi.json by `npm run generate`. Do not edit.

import type {
  AttemptRecord,
  Channel,
  ChannelResponse,
  Delivery,
  DeliveryDetail,
  MediaUpload,
  Pause,
  Tested,
  Webhook,
  WebhookResponse,
} from './types.gen.ts'

export type {
  AttemptRecord,
  Channel,
  ChannelResponse,
  Delivery,
  DeliveryDetail,
  MediaUpload,
  Pause,
  Tested,
  Webhook,
  WebhookResponse,
}

export type AlertSettings = {
  /** True if the person gets mails about endpoints that the hub paused and channels that stopped working, in this organization. */
  by_mail: boolean
}

export type AlertSettingsResponse = {
  alerts: AlertSettings
}

export type AttentionItem = {
  kind:
    | 'subscription_suspended'
    | 'channel_disconnected'
    | 'endpoint_paused'
    | 'channel_degraded'
    | 'unknown_sends'
    | 'subscription_past_due'
    | 'template_rejected'
    | 'quota'
    | 'link_expired'
  target: {
    type: 'channel' | 'webhook' | 'template' | 'organization'
    id: string
    name: string | null
  }
  since: string | null
  details: {
    [name: string]: unknown
  }
}

export type AudioCustomerMessage = {
  type: 'audio'
  audio?: {
    voice?: boolean
    /** The media type of the file. */
    mime_type?: string
    /** The file in base64. The phone sends a sample by default. */
    data_base64?: string
  }
}

export type BeginTotp = {
  password: string
}

export type ButtonReplyCustomerMessage = {
  type: 'button_reply'
  button_reply: {
    message_id: string
    id: string
  }
}

export type ChangePassword = {
  current_password: string
  new_password: string
  totp?: string
}

export type ChangeRole = {
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type ChannelActivity = {
  channel_id: string
  last_inbound_at: string | null
  last_outbound_at: string | null
  /** The number of endpoints, in any status, that name the channel or have all_channels. */
  endpoints: number
}

export type ChatMessage = {
  id: string
  from: 'customer' | 'business'
  type: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  at: string
  status: 'accepted' | 'sent' | 'delivered' | 'read' | 'failed'
  error_code: number | null
  reply_to: string | null
  header: string | null
  text: string | null
  footer: string | null
  buttons: {
    /** The type is `reply` for a button that the customer can choose. */
    type: string
    id: string | null
    title: string
    url: string | null
  }[]
  list: {
    button: string
    sections: {
      title: string | null
      rows: {
        id: string
        title: string
        description: string | null
      }[]
    }[]
  } | null
  media: {
    id: string | null
    link: string | null
    mime_type: string | null
    filename: string | null
  } | null
  location: {
    latitude: number
    longitude: number
    name: string | null
    address: string | null
  } | null
  reaction: {
    message_id: string
    emoji: string
  } | null
}

export type ConfirmEmail = {
  code: string
}

export type ConsoleDelivery = {
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
  event_id: string
  channel_id: string | null
  person: {
    phone: string | null
    user_id: string | null
  } | null
}

export type ConsoleMessage = {
  id: string
  channel_id: string
  direction: 'inbound' | 'outbound'
  person: {
    phone: string | null
    user_id: string | null
  }
  type: string
  template: {
    name: string | null
    language: string | null
  } | null
  status: 'received' | 'sending' | 'unknown' | 'accepted' | 'sent' | 'failed' | 'delivered' | 'read'
  upstream_message_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  updated_at: string
  error: {
    code: number | null
  } | null
}

export type ConsoleMessageDetail = {
  message: {
    id: string
    channel_id: string
    direction: 'inbound' | 'outbound'
    person: {
      phone: string | null
      user_id: string | null
    }
    type: string
    template: {
      name: string | null
      language: string | null
    } | null
    status: 'received' | 'sending' | 'unknown' | 'accepted' | 'sent' | 'failed' | 'delivered' | 'read'
    upstream_message_id: string | null
    /** A time in ISO 8601, in UTC and with milliseconds. */
    created_at: string
    /** A time in ISO 8601, in UTC and with milliseconds. */
    updated_at: string
    error: {
      code: number | null
      title: string | null
      details: string | null
      explanation: string | null
    } | null
    timeline: {
      status: string
      /** A time in ISO 8601, in UTC and with milliseconds. */
      at: string
    }[]
    pricing: {
      [name: string]: unknown
    } | null
    idempotency: {
      key: string
      outcome: 'in_progress' | 'sent' | 'refused' | 'unknown'
    } | null
    has_content: boolean
    has_media: boolean
    deliveries: LinkedDelivery[]
    /** Endpoints that did not get an event of the message because they were paused then, by name, up to 100. */
    paused_endpoints: {
      id: string
      name: string
    }[]
    /** The number of deliveries of these events that the hub is still about to queue. An event for many endpoints is queued in steps. */
    deliveries_being_queued: number
  }
}

export type Conversation = {
  number: {
    display_phone_number: string
    verified_name: string
    quality: string
  }
  customer: {
    /** The phone number. The simulator knows it even if the customer hides it. */
    phone: string
    /** The id by which the business of the channel knows the customer, with or without a phone number. */
    user_id: string
    name: string
    username: string | null
    /** True if the channel sees only the user id of the customer. */
    hides_phone: boolean
  } | null
  customers: {
    /** The phone number. The simulator knows it even if the customer hides it. */
    phone: string
    /** The id by which the business of the channel knows the customer, with or without a phone number. */
    user_id: string
    name: string
    username: string | null
    /** True if the channel sees only the user id of the customer. */
    hides_phone: boolean
    /** A time in ISO 8601, in UTC and with milliseconds. */
    last_message_at: string
  }[]
  messages: ChatMessage[]
}

export type CurrentSession = {
  user: {
    id: string
    email: string
    /** True once the person has proven that they receive mail at the address. */
    email_verified: boolean
    name: string
    totp_enabled: boolean
  }
  organization: {
    id: string
    name: string
    language: 'en' | 'pt-BR' | 'es'
    time_zone: string
    two_factor_required: boolean
    deletes_at: string | null
  }
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type CurrentSessionResponse = CurrentSession

export type CustomerMessage =
  | TextCustomerMessage
  | ImageCustomerMessage
  | VideoCustomerMessage
  | DocumentCustomerMessage
  | AudioCustomerMessage
  | StickerCustomerMessage
  | LocationCustomerMessage
  | ButtonReplyCustomerMessage
  | ListReplyCustomerMessage
  | ReactionCustomerMessage

export type CustomerRead = {
  /** The number of messages that became read. */
  read: number
}

export type CustomerWrote = {
  message: ChatMessage
}

export type DailyStatistics = {
  /** The time zone of the organization. Days begin at its midnight. */
  time_zone: string
  /** Oldest first. The last one is not over, and the first one begins with `since`. */
  days: {
    date: string
    sent: number
    delivered: number
    read: number
    failed: number
    refused: number
    received: number
  }[]
}

export type DeletionCanceled = {
  canceled: true
}

export type DeletionRequested = {
  /** A time in ISO 8601, in UTC and with milliseconds. */
  deletes_at: string
}

export type DeliveryPayload = {
  event_id: string
  replay_of_delivery_id: string | null
  channel_id: string | null
  message_id: string | null
  bytes: number | null
  gone: 'erased' | 'past_retention' | null
  /** The number of deliveries of the event that the hub is still about to queue. An event for many endpoints is queued in steps. */
  deliveries_being_queued: number
}

export type DocumentCustomerMessage = {
  type: 'document'
  document?: {
    caption?: string
    filename?: string
    /** The media type of the file. */
    mime_type?: string
    /** The file in base64. The phone sends a sample by default. */
    data_base64?: string
  }
}

export type Done = {
  done: true
}

export type EditTemplate = {
  /** The id of the template in one language. */
  hsm_id: string
  category?: 'AUTHENTICATION' | 'MARKETING' | 'UTILITY'
  /** The upstream replaces all components by these, and reviews the template again. */
  components: {
    type: string
    [name: string]: unknown
  }[]
}

export type EndpointFigure = {
  endpoint_id: string
  /** Attempts, as `failed`: a delivery has several if its receiver fails. */
  succeeded: number
  failed: number
  success_rate: number | null
  p95_ms: number | null
  /** Attempts that succeeded. */
  series: number[]
  /** Attempts that failed. */
  failed_series: number[]
}

export type EndpointStatistics = {
  range: '24h' | '7d' | '30d'
  bucket_seconds: number
  /** A time in ISO 8601, in UTC and with milliseconds. */
  since: string
  /** The end of the last bucket, which is not over. */
  until: string
  /** The endpoints that had attempts in the period. */
  endpoints: EndpointFigure[]
}

export type ErasePerson = {
  /** A phone number with its country code. */
  phone?: string
  /** The user id of a person at the upstream. */
  user_id?: string
}

export type Erasure = {
  id: string
  status: 'running' | 'done'
  stage: 'messages' | 'open_deliveries' | 'events' | 'settling' | 'deliveries' | 'callbacks' | 'audit_log' | null
  counts: ErasureCounts
  requested_by: {
    id: string | null
    name: string | null
  }
  /** A time in ISO 8601, in UTC and with milliseconds. */
  requested_at: string
  done_at: string | null
}

export type ErasureCounts = {
  messages_sent: number
  messages_received: number
  events: number
  /** The number of deliveries that were open and are not attempted any more. */
  deliveries_canceled: number
  /** The number of attempts of which the receiver's answer was erased. */
  responses: number
  /** The number of callbacks of the upstream. */
  callbacks: number
  /** The number of exports that had the person as a filter. */
  audit_entries: number
}

export type ErasurePreview = {
  counts: {
    messages_sent: number
    messages_received: number
    events: number
    /** The number of final deliveries whose payload goes. */
    deliveries: number
    /** The number of deliveries that would be canceled. */
    open_deliveries: number
  }
  /** False if there was too much to count in time. There is at least as much as was counted. */
  complete: boolean
}

export type ErasureResponse = {
  erasure: Erasure
}

export type ExampleUploaded = {
  /** The handle for `example.header_handle` of a header. */
  handle: string
}

export type ExportedLine = {
  type: string
  data: {
    [name: string]: unknown
  }
}

export type ExportedMessage = {
  id: string
  channel_id: string
  direction: 'inbound' | 'outbound'
  person: {
    phone: string | null
    user_id: string | null
  }
  type: string
  template: {
    name: string | null
    language: string | null
  } | null
  status: 'received' | 'sending' | 'unknown' | 'accepted' | 'sent' | 'failed' | 'delivered' | 'read'
  upstream_message_id: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  updated_at: string
  error: {
    code: number | null
  } | null
  content?: unknown
}

export type FinishSignUp = {
  password: string
}

export type FoundDelivery = {
  delivery: {
    id: string
    event: string
    endpoint: {
      id: string
      name: string
    }
  }
}

export type ImageCustomerMessage = {
  type: 'image'
  image?: {
    caption?: string
    /** The media type of the file. */
    mime_type?: string
    /** The file in base64. The phone sends a sample by default. */
    data_base64?: string
  }
}

export type InspectedDelivery = {
  body_base64: string | null
  /** One for each attempt. */
  verifications: InspectedVerification[]
}

export type InspectedRequest = {
  delivery_id: string
  event: string
  /** The number of the attempt, from 1 to 10. */
  attempt: number
  http_status: number | null
  error_code: string | null
  bytes: number | null
  total_ms: number | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  received_at: string
  delivery_status: 'pending' | 'processing' | 'retry' | 'succeeded' | 'dead' | 'canceled'
  /** A time in ISO 8601, in UTC and with milliseconds. */
  next_attempt_at: string
}

export type InspectedVerification = {
  attempt: number
  request_headers: {
    [name: string]: unknown
  }
  computed: string | null
  /** True if it equals that of the header. */
  is_equal: boolean
  /** The age of the timestamp when the request arrived. */
  age_seconds: number
}

export type Inspector = {
  id: string
  status: 'active' | 'paused' | 'disabled'
  /** The status of every response; `hang` never responds, so that the attempt ends with TIMEOUT. */
  answer: '200' | '500' | '410' | 'hang'
  consecutive_failures: number
  secret_last4: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  expires_at: string
  /** Newest first, up to 50. */
  requests: InspectedRequest[]
}

export type InspectorDeleted = {
  deleted: true
}

export type InspectorResponse = {
  /** False if the hub runs with `INSPECTOR=off`. */
  is_available: boolean
  inspector: Inspector | null
}

export type Invitation = {
  id: string
  email: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  invited_by: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  expires_at: string
}

export type InvitationRevoked = {
  revoked: true
}

export type Invite = {
  email: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type Invited = {
  invitation: Invitation
  invitation_url: string
  /** True if the mail server accepted a mail with the link. */
  mail_sent: boolean
  warning: string
}

export type InvoiceView = {
  /** The id of the invoice at the payment provider. */
  id: string
  number: string | null
  status: 'open' | 'paid' | 'uncollectible' | 'void'
  /** The total in minor units, such as cents; negative for a credit. */
  total: number
  /** The amount to pay in minor units, after credits. */
  amount_due: number
  currency: string
  period_start: string | null
  period_end: string | null
  next_attempt_at: string | null
  hosted_url: string | null
  pdf_url: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type Join = {
  /** The name is one line of text that is not blank. */
  name: string
  password: string
  totp?: string
}

export type LinkedDelivery = {
  id: string
  endpoint: {
    id: string
    name: string
  }
  event: string
  status: string
  attempts: number
  duration_ms: number | null
  next_attempt_at: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type ListReplyCustomerMessage = {
  type: 'list_reply'
  list_reply: {
    message_id: string
    id: string
  }
}

export type ListedLink = {
  id: string
  state: 'open' | 'in_use' | 'used' | 'expired' | 'replaced'
  created_by: {
    type: string
    id: string | null
    name: string | null
  } | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  expires_at: string
  used_at: string | null
}

export type ListenerView = {
  id: string
  /** An empty list is every kind. */
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
  all_channels: boolean
  channel_ids: string[]
  /** The number of deliveries that its client has not acknowledged yet. */
  unacknowledged: number
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type LocationCustomerMessage = {
  type: 'location'
  location?: {
    latitude: number
    longitude: number
    name?: string
    address?: string
  }
}

export type LoggedRequest = {
  /** Counts the requests of the organization, without a gap. */
  number: number
  request_id: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  answered_at: string
  method: string
  /** The pattern of the path. */
  route: string
  /** Without the query string. What is not an id stays as in the pattern. */
  path: string
  status: number
  duration_ms: number
  error_code: string | null
  credential: {
    /** The type is `api_key` or `channel_token`. */
    type: string
    id: string
    name: string | null
    channel_id: string | null
  }
  ip: string | null
}

export type Logo = {
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  bytes: number
  /** The path from which members load the logo. It changes with the logo. */
  url: string
}

export type Member = {
  id: string
  name: string
  email: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  totp_enabled: boolean
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
}

export type MemberRemoved = {
  removed: true
}

export type MemberResponse = {
  member: Member
}

export type NamesRequest = {
  message_ids: string[]
}

export type NumberFaults = {
  phone_offline: boolean
  callback_delay_ms: number
  duplicate: boolean
  reorder: boolean
  fail_with: number | null
}

export type NumberFaultsResponse = {
  faults: {
    phone_offline: boolean
    callback_delay_ms: number
    duplicate: boolean
    reorder: boolean
    fail_with: number | null
  }
  failure_codes: number[]
}

export type OpenInvitation = {
  invitation: {
    organization_name: string
    language: 'en' | 'pt-BR' | 'es'
    email: string
    role: 'viewer' | 'developer' | 'admin' | 'owner'
    /** A time in ISO 8601, in UTC and with milliseconds. */
    expires_at: string
  }
}

export type OpenPasswordReset = {
  password_reset: {
    email: string
    /** A time in ISO 8601, in UTC and with milliseconds. */
    expires_at: string
  }
}

export type OpenVerification = {
  email_verification: {
    email: string
    /** A time in ISO 8601, in UTC and with milliseconds. */
    expires_at: string
  }
}

export type Organization = {
  id: string
  name: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type OrganizationSettings = {
  name: string
  language: 'en' | 'pt-BR' | 'es'
  time_zone: string
  two_factor_required: boolean
  color: string | null
  color_contrast: number | null
  logo: Logo | null
  deletes_at: string | null
  retention: Retention
}

export type PasswordResetRequested = {
  accepted: true
}

export type PendingSignUp = {
  sign_up: {
    email: string
    organization_name: string
    /** A time in ISO 8601, in UTC and with milliseconds. */
    expires_at: string
  }
}

export type PriceView = {
  item: 'starter' | 'pro' | 'connection'
  /** The price of one unit, in minor units such as cents. */
  unit_amount: number
  currency: string
  interval: 'day' | 'week' | 'month' | 'year'
  /** The number of intervals between two charges. */
  interval_count: number
}

export type QualitySet = {
  rating: 'GREEN' | 'YELLOW' | 'RED'
}

export type ReactionCustomerMessage = {
  type: 'reaction'
  reaction: {
    message_id: string
    emoji: string
  }
}

export type ReadAsCustomer = {
  customer: {
    /** A phone number with its country code. */
    phone: string
  }
}

export type Recoverable = {
  /** The number of deliveries that a recovery would queue, 10,000 at most. */
  count: number
}

export type RequestDeletion = {
  /** The name of the organization, letter by letter. */
  name: string
}

export type RequestErrorGroup = {
  error_code: string | null
  status: number
  method: string
  route: string
  count: number
  /** A time in ISO 8601, in UTC and with milliseconds. */
  last_at: string
  last_request_id: string
}

export type RequestPasswordReset = {
  email: string
}

export type ResetPassword = {
  password: string
}

/** The time for which the hub keeps what it records. The operator decides it for all organizations. */
export type Retention = {
  events_days: number
  messages_days: number
  audit_days: number
}

export type RevealedMessage = {
  /** The content is the object named by the type. */
  content: unknown
  context: {
    [name: string]: unknown
  } | null
  contact_name: string | null
}

export type RevealedPayload = {
  body_base64: string | null
  /** The first 4 KiB of what the receiver responded to each attempt. */
  responses: {
    number: number
    response_body_base64: string | null
  }[]
}

export type ReviewTemplate = {
  result: 'APPROVED' | 'REJECTED'
  /** The upstream's reason, such as INVALID_FORMAT. */
  reason?: string
}

export type SandboxAvailable = {
  available: true
}

export type Session = {
  id: string
  current: boolean
  ip: string | null
  user_agent: string | null
  /** A time in ISO 8601, in UTC and with milliseconds. */
  created_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  last_seen_at: string
  /** A time in ISO 8601, in UTC and with milliseconds. */
  expires_at: string
}

export type SetQuality = {
  rating: 'GREEN' | 'YELLOW' | 'RED'
}

export type SettingsResponse = {
  settings: OrganizationSettings
}

export type Setup = {
  sign_up: 'open' | 'closed'
  /** True if there is no account yet. */
  first_run: boolean
  /** True if a simulator stands in for the upstream. */
  sandbox: boolean
  two_factor: 'optional'
  /** True if the hub can send a link for a new password by mail. */
  password_reset: boolean
}

export type SignIn = {
  email: string
  password: string
  totp?: string
}

export type SignUp = {
  /** The name is one line of text that is not blank. */
  name: string
  email: string
  password: string
  /** The name is one line of text that is not blank. */
  organization_name: string
  /** The time zone is an IANA name, such as `America/Sao_Paulo`. */
  time_zone?: string
  /** The code that the first account needs if sign-up is closed. */
  setup_code?: string
}

export type Statistics = {
  range: '24h' | '7d' | '30d'
  bucket_seconds: number
  /** A time in ISO 8601, in UTC and with milliseconds. */
  since: string
  /** The end of the last bucket, which is not over. */
  until: string
  messages: {
    sent: {
      total: number
      /** The total of the preceding period of the same length. */
      previous_total: number
      /** One number for each bucket, oldest first. */
      series: number[]
    }
    delivered: {
      total: number
      /** The total of the preceding period of the same length. */
      previous_total: number
      /** One number for each bucket, oldest first. */
      series: number[]
    }
    read: {
      total: number
      /** The total of the preceding period of the same length. */
      previous_total: number
      /** One number for each bucket, oldest first. */
      series: number[]
    }
    failed: {
      total: number
      /** The total of the preceding period of the same length. */
      previous_total: number
      /** One number for each bucket, oldest first. */
      series: number[]
    }
    refused: {
      total: number
      /** The total of the preceding period of the same length. */
      previous_total: number
      /** One number for each bucket, oldest first. */
      series: number[]
    }
    received: {
      total: number
      /** The total of the preceding period of the same length. */
      previous_total: number
      /** One number for each bucket, oldest first. */
      series: number[]
    }
  }
  webhooks: {
    /** Attempts, as `failed`: a delivery has several if its receiver fails. */
    succeeded: number
    failed: number
    success_rate: number | null
    p95_ms: number | null
    /** Attempts that succeeded. */
    series: number[]
    /** Attempts that failed. */
    failed_series: number[]
    /** Deliveries that are not over, counted up to 1,000. */
    queued: number
    /** The number of seconds for which the oldest waiting delivery has been due. */
    oldest_seconds: number
  }
  /** The 20 most frequent, by error code and channel. */
  errors: {
    code: string | null
    channel_id: string
    channel_name: string | null
    count: number
    /** A time in ISO 8601, in UTC and with milliseconds. */
    last_at: string
    /** One number for each bucket, oldest first. */
    series: number[]
  }[]
}

export type StickerCustomerMessage = {
  type: 'sticker'
  sticker?: {
    /** The media type of the file. */
    mime_type?: string
    /** The file in base64. The phone sends a sample by default. */
    data_base64?: string
  }
}

export type SwitchOrganization = {
  organization_id: string
}

export type TemplateEdited = {
  edited: true
}

export type TemplateReviewed = {
  template: {
    id: string
    name: string
    status: string
    reason: string
  }
}

export type TemplatesDeleted = {
  deleted: true
}

export type TestAllowance = {
  limit: number
  remaining: number
  resets_at: string | null
}

export type TextCustomerMessage = {
  type: 'text'
  text: {
    body: string
  }
}

export type TotpBegun = {
  secret: string
  otpauth_url: string
}

export type TotpCode = {
  code: string
}

export type TotpDisable = {
  password: string
  totp: string
}

export type UpdateAccount = {
  /** The name is one line of text that is not blank. */
  name: string
}

export type UpdateAlertSettings = {
  /** True if the person gets mails about endpoints that the hub paused and channels that stopped working, in this organization. */
  by_mail: boolean
}

export type UpdateInspector = {
  /** The status of every response; `hang` never responds, so that the attempt ends with TIMEOUT. */
  answer?: '200' | '500' | '410' | 'hang'
  status?: 'active'
}

export type UpdateLogo = {
  /** A PNG, JPEG or WebP image in base64, of at most 200 KB and 1,024 by 1,024 pixels. */
  content: string
}

export type UpdateSettings = {
  /** The name is one line of text that is not blank. */
  name?: string
  language?: 'en' | 'pt-BR' | 'es'
  /** The time zone is an IANA name, such as `America/Sao_Paulo`. */
  time_zone?: string
  two_factor_required?: boolean
  color?: string | null
}

export type UpstreamTokenRevoked = {
  revoked: true
}

export type VerificationSent = {
  verification: 'sent'
}

export type VerifyEmail = {
  password: string
}

export type VideoCustomerMessage = {
  type: 'video'
  video?: {
    caption?: string
    /** The media type of the file. */
    mime_type?: string
    /** The file in base64. The phone sends a sample by default. */
    data_base64?: string
  }
}

export type WriteAsCustomer = {
  customer: {
    /** A phone number with its country code. */
    phone: string
    name?: string
    username?: string | null
  }
  message: CustomerMessage
}
