// Generated from openapi.json by `npm run generate`. Do not edit.

import type { List } from '../pages.ts'
import type { KeyedOptions, Requester, RequestOptions } from '../request.ts'
import { path, Resource } from '../resource.ts'
import type {
  AcknowledgeDeliveries,
  AddonsBody,
  AddonsResponse,
  AddressedMessageBody,
  ApiKey,
  ApiKeyCreated,
  ApiKeyResponse,
  AuditEntry,
  BlockedPerson,
  BlockRequest,
  Channel,
  ChannelCreated,
  ChannelDeleted,
  ChannelResponse,
  CheckoutBody,
  CheckoutResponse,
  ConnectLinkOptions,
  ConnectLinkResponse,
  ConnectWithToken,
  CostReportResponse,
  CreateApiKey,
  CreateChannel,
  CreateListener,
  CreateTemplate,
  CreateWebhook,
  DeliveriesAcknowledged,
  Delivery,
  DeliveryDetail,
  DiagnosticsResponse,
  ListenerCreated,
  ListenerDeleted,
  MarkedRead,
  MarketingMessageBody,
  MarkRead,
  MediaUpload,
  MediaUploaded,
  MessageBody,
  MessageEntry,
  MessageResponse,
  Pause,
  PeopleBlocked,
  PeopleUnblocked,
  PortalResponse,
  PreviewBody,
  PreviewResponse,
  QrCode,
  QrCodeDeleted,
  QrCodeResponse,
  Recover,
  Recovered,
  RegenerateToken,
  Replayed,
  ReportedCostsResponse,
  Retried,
  RotateSecret,
  SaveQrCode,
  SecretRotated,
  SendResponse,
  SetUsername,
  SubscriptionResponse,
  Template,
  TemplateCreated,
  Tested,
  TokenRegenerated,
  TokenRevoked,
  UpdateChannel,
  UpdateWebhook,
  UpstreamCall,
  UpstreamHandle,
  UpstreamHandleForm,
  UpstreamMediaForm,
  UpstreamMediaUploaded,
  UpstreamMessage,
  UpstreamMessageSent,
  UpstreamProfile,
  UpstreamProfileList,
  UpstreamSuccess,
  UpstreamTemplate,
  UpstreamTemplateCreated,
  UpstreamTemplateList,
  UsageResponse,
  UsernameResponse,
  Webhook,
  WebhookCreated,
  WebhookDeleted,
  WebhookResponse,
} from './types.gen.ts'

export class ApiKeys extends Resource {
  /** List keys, newest first, without their secrets. The list includes revoked and expired keys. A secret is shown only when its key is created. Scope: `api_keys:read`. */
  list(
    query: { limit?: number | undefined; cursor?: string | undefined } = {},
    options?: RequestOptions,
  ): List<ApiKey> {
    return this.requester.list('api_keys', { method: 'GET', path: '/api/v1/api-keys', query }, options)
  }

  /** Create a scoped key. The secret is in the answer and never again. A key cannot have more scopes than the credential that creates it. Scope: `api_keys:write`. */
  create(body: CreateApiKey, options?: RequestOptions): Promise<ApiKeyCreated> {
    return this.requester.send({ method: 'POST', path: '/api/v1/api-keys', body }, options)
  }

  /** Revoke a key at once. Requests with the key are refused from then on, in every process. A revoked key cannot be restored. Scope: `api_keys:write`. */
  revoke(apiKeyId: string, options?: RequestOptions): Promise<ApiKeyResponse> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/api-keys/${apiKeyId}/revoke` }, options)
  }
}

export class AuditLog extends Resource {
  /** List audit entries, newest first. Each entry names the actor, the action and what it changed. Give `next_cursor` as `cursor` for the next page. Scope: `audit:read`. */
  list(
    query: {
      limit?: number | undefined
      cursor?: string | undefined
      action?: string | undefined
      actor_id?: string | undefined
      target_id?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      since?: string | undefined /** A time in ISO 8601, in UTC and with milliseconds. */
      until?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<AuditEntry> {
    return this.requester.list('entries', { method: 'GET', path: '/api/v1/audit-log', query }, options)
  }
}

export class Billing extends Resource {
  /** Plan, status, quotas and usage. The answer has the plan, its status, each quota with what is used of it, and the add-ons. Scope: `billing:read`. */
  getSubscription(options?: RequestOptions): Promise<SubscriptionResponse> {
    return this.requester.send({ method: 'GET', path: '/api/v1/subscription' }, options)
  }

  /** Get the usage of the current period. The answer counts the channels, endpoints, messages and deliveries of the current period. Scope: `billing:read`. */
  getUsage(options?: RequestOptions): Promise<UsageResponse> {
    return this.requester.send({ method: 'GET', path: '/api/v1/usage' }, options)
  }

  /** Estimate what messages cost, by channel, category, country or day. Figures are estimates from the rate cards of the operator. Costs are null where the operator has given none. Scope: `billing:read`. */
  getCosts(
    query: {
      /** The first day in UTC, as a date or a timestamp. The first of the month by default. */
      since?:
        | string
        | undefined /** The end, which is not included, as a date or a timestamp. The end of today by default. */
      until?: string | undefined
      group_by?: 'channel' | 'category' | 'country' | 'day' | undefined
      channel_id?: string | undefined /** The format of the answer. Default: CSV if `Accept` prefers it, else JSON. */
      format?: 'json' | 'csv' | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<CostReportResponse> {
    return this.requester.send({ method: 'GET', path: '/api/v1/usage/costs', query }, options)
  }

  /** Show what the upstream reports of the costs of the channel's account. The figures come from the upstream at the time of the request. They are of the whole account of the channel. Scope: `billing:read`. */
  getReportedCosts(
    channelId: string,
    query: {
      /** The first day in UTC, as a date or a timestamp. The first of the month by default. */
      since?:
        | string
        | undefined /** The end, which is not included, as a date or a timestamp. The end of today by default. */
      until?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<ReportedCostsResponse> {
    return this.requester.send(
      { method: 'GET', path: path`/api/v1/channels/${channelId}/reported-costs`, query },
      options,
    )
  }

  /** Set the total of additional connections. Charges or credits in proportion to what is left of the period. The limit rises once it is paid. Scope: `billing:write`. */
  setAddons(body: AddonsBody, options?: KeyedOptions): Promise<AddonsResponse> {
    return this.requester.send({ method: 'POST', path: '/api/v1/subscription/addons', body, isKeyed: true }, options)
  }

  /** Preview the cost of another total. Nothing is charged. Give the `proration_date` of the answer to the change, so that the price stays the same. Scope: `billing:read`. */
  previewAddons(body: PreviewBody, options?: RequestOptions): Promise<PreviewResponse> {
    return this.requester.send({ method: 'POST', path: '/api/v1/subscription/addons/preview', body }, options)
  }

  /** Begin the purchase of a plan, or the change to another one. Opens a page for a person. The limits rise once it is paid. Scope: `billing:write`. */
  openCheckout(body: CheckoutBody, options?: KeyedOptions): Promise<CheckoutResponse> {
    return this.requester.send({ method: 'POST', path: '/api/v1/subscription/checkout', body, isKeyed: true }, options)
  }

  /** A link to the billing portal, for card, invoices and cancellation. The link works once, for five minutes. Scope: `billing:write`. */
  openPortal(options?: RequestOptions): Promise<PortalResponse> {
    return this.requester.send({ method: 'POST', path: '/api/v1/subscription/portal' }, options)
  }
}

export class Channels extends Resource {
  /** List channels. The list has every channel of the organization that is not archived. Scope: `channels:read`. */
  list(options?: RequestOptions): List<Channel> {
    return this.requester.list('channels', { method: 'GET', path: '/api/v1/channels' }, options)
  }

  /** Create a channel, and with webhook_url its endpoint and connect link. The channel token is in the answer and never again. The channel sends when a number is connected to it. Scope: `channels:write`. */
  create(body: CreateChannel, options?: RequestOptions): Promise<ChannelCreated> {
    return this.requester.send({ method: 'POST', path: '/api/v1/channels', body }, options)
  }

  /** Get a channel. The answer has the state of the connection and the number of the channel. Scope: `channels:read`. */
  get(channelId: string, options?: RequestOptions): Promise<ChannelResponse> {
    return this.requester.send({ method: 'GET', path: path`/api/v1/channels/${channelId}` }, options)
  }

  /** Change the name, the external id or the import of history of a channel. Only the members of the body change. Scope: `channels:write`. */
  update(channelId: string, body: UpdateChannel, options?: RequestOptions): Promise<ChannelResponse> {
    return this.requester.send({ method: 'PATCH', path: path`/api/v1/channels/${channelId}`, body }, options)
  }

  /** Archive a channel, and on request deregister its number. The token and the connect links of the channel stop working at once. With `deregister` the number is also signed off upstream. Scope: `channels:write`. */
  delete(
    channelId: string,
    query: { deregister?: boolean | undefined } = {},
    options?: RequestOptions,
  ): Promise<ChannelDeleted> {
    return this.requester.send({ method: 'DELETE', path: path`/api/v1/channels/${channelId}`, query }, options)
  }

  /** Create a link that connects a number once. Give the link to the person who has the number. It connects one number once, and it expires. Scope: `channels:write`. */
  createConnectLink(
    channelId: string,
    body?: ConnectLinkOptions,
    options?: RequestOptions,
  ): Promise<ConnectLinkResponse> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/connect-link`, body },
      options,
    )
  }

  /** Replace the channel token, with the same scopes or with those of the body. The old token is refused from then on. The new one is in the answer and never again. Scope: `channels:write`. */
  regenerateToken(channelId: string, body?: RegenerateToken, options?: RequestOptions): Promise<TokenRegenerated> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/regenerate-token`, body },
      options,
    )
  }

  /** Revoke the channel token without a new one. The token is refused from then on. The channel keeps its number and its log. Scope: `channels:write`. */
  revokeToken(channelId: string, options?: RequestOptions): Promise<TokenRevoked> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/channels/${channelId}/revoke-token` }, options)
  }

  /** Check credential, number, subscription and endpoints. Each check has a status, a message and, if something is wrong, a remedy. Scope: `channels:read`. */
  diagnose(channelId: string, options?: RequestOptions): Promise<DiagnosticsResponse> {
    return this.requester.send({ method: 'GET', path: path`/api/v1/channels/${channelId}/diagnostics` }, options)
  }

  /** Connect a number with a token of your own, without the page. The token needs the permissions to manage and to message for the account. The hub checks it before it stores it. Scope: `channels:write`. */
  connect(channelId: string, body: ConnectWithToken, options?: RequestOptions): Promise<ChannelResponse> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/channels/${channelId}/connection`, body }, options)
  }
}

export class Listeners extends Resource {
  /** Create a listener, which streams deliveries to a client; its secret is shown once. A listener has no URL: a client attaches to its stream. It expires without a connection. Scope: `webhooks:write`. */
  create(body?: CreateListener, options?: RequestOptions): Promise<ListenerCreated> {
    return this.requester.send({ method: 'POST', path: '/api/v1/listeners', body }, options)
  }

  /** Attach to a listener, and stream what it has not acknowledged as lines of JSON. Each line is a delivery, a heartbeat or the end of the stream. What is not acknowledged is sent again to the next stream. Scope: `messages:read`. */
  stream(
    listenerId: string,
    options: RequestOptions & { headers: { 'x-hub-listener-secret': string } },
  ): Promise<Response> {
    return this.requester.stream({ method: 'GET', path: path`/api/v1/listeners/${listenerId}/stream` }, options)
  }

  /** Acknowledge deliveries of a listener, which are not sent again. Acknowledging a delivery twice does no harm. Scope: `webhooks:write`. */
  acknowledgeDeliveries(
    listenerId: string,
    body: AcknowledgeDeliveries,
    options: RequestOptions & { headers: { 'x-hub-listener-secret': string } },
  ): Promise<DeliveriesAcknowledged> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/listeners/${listenerId}/acknowledge`, body },
      options,
    )
  }

  /** End a listener, and discard what it has not acknowledged. Its stream ends with a line that says so. Scope: `webhooks:write`. */
  delete(
    listenerId: string,
    options: RequestOptions & { headers: { 'x-hub-listener-secret': string } },
  ): Promise<ListenerDeleted> {
    return this.requester.send({ method: 'DELETE', path: path`/api/v1/listeners/${listenerId}` }, options)
  }
}

export class Media extends Resource {
  /** Upload a file to the upstream, in the form field `file`. The type is decided by the bytes of the file. Give the `id` of the answer in a message. Scope: `media:write`. */
  upload(channelId: string, body: MediaUpload, options?: RequestOptions): Promise<MediaUploaded> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/channels/${channelId}/media`, form: body }, options)
  }

  /** Download a file that the channel received or uploaded. The body is the file itself. Give `Range` for a part of it. Scope: `messages:read`. */
  read(channelId: string, mediaId: string, options?: RequestOptions): Promise<Response> {
    return this.requester.stream({ method: 'GET', path: path`/api/v1/channels/${channelId}/media/${mediaId}` }, options)
  }

  /** Download a file, or with `Range` a part of it. The body is the file itself. Scope: `messages:read`. */
  download(mediaId: string, options?: RequestOptions): Promise<Response> {
    return this.requester.stream({ method: 'GET', path: path`/upstream/${mediaId}/content` }, options)
  }
}

export class Messages extends Resource {
  /** List a channel's messages, newest first. Give `next_cursor` as `cursor` for the next page. The filters combine. Scope: `messages:read`. */
  list(
    channelId: string,
    query: {
      limit?: number | undefined
      cursor?: string | undefined
      direction?: 'inbound' | 'outbound' | undefined
      status?: string | undefined /** A phone number in any of its spellings, or a user id. */
      person?: string | undefined
      type?: string | undefined /** Only messages that came to the hub from this time on. */
      since?: string | undefined /** Only messages that came to the hub before this time. */
      until?: string | undefined
      upstream_message_id?: string | undefined
      idempotency_key?: string | undefined
    } = {},
    options?: RequestOptions,
  ): List<MessageEntry> {
    return this.requester.list(
      'messages',
      { method: 'GET', path: path`/api/v1/channels/${channelId}/messages`, query },
      options,
    )
  }

  /** Send a message. The same Idempotency-Key with the same recipient and body never sends twice. After a 409, look the message up in the message log; do not send it again with another key. Scope: `messages:send`. */
  send(channelId: string, body: MessageBody, options?: KeyedOptions): Promise<SendResponse> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/messages`, body, isKeyed: true },
      options,
    )
  }

  /** Show a message. The answer is the entry of the message in the log, with its status and its content. Scope: `messages:read`. */
  get(channelId: string, messageId: string, options?: RequestOptions): Promise<MessageResponse> {
    return this.requester.send(
      { method: 'GET', path: path`/api/v1/channels/${channelId}/messages/${messageId}` },
      options,
    )
  }

  /** Mark a received message as read. The person sees that it was read, and with `typing` also that an answer is being written. All earlier messages of the conversation become read too. Scope: `messages:send`. */
  markRead(channelId: string, messageId: string, body?: MarkRead, options?: RequestOptions): Promise<MarkedRead> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/messages/${messageId}/read`, body },
      options,
    )
  }

  /** Send a message to a person by user id. Sends to people who hide their phone number. The same Idempotency-Key with the same recipient and body never sends twice. After a 409, look the message up in the message log; do not send it again with another key. Scope: `messages:send`. */
  sendToContact(
    channelId: string,
    userId: string,
    body: AddressedMessageBody,
    options?: KeyedOptions,
  ): Promise<SendResponse> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/contacts/${userId}/messages`, body, isKeyed: true },
      options,
    )
  }

  /** Send a message to a group. The same Idempotency-Key with the same recipient and body never sends twice. After a 409, look the message up in the message log; do not send it again with another key. Scope: `messages:send`. */
  sendToGroup(
    channelId: string,
    groupId: string,
    body: AddressedMessageBody,
    options?: KeyedOptions,
  ): Promise<SendResponse> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/groups/${groupId}/messages`, body, isKeyed: true },
      options,
    )
  }

  /** Send a marketing template by the Marketing Messages API. The upstream decides when a person is likely to read it. The same Idempotency-Key with the same recipient and body never sends twice. After a 409, look the message up in the message log; do not send it again with another key. Scope: `messages:send`. */
  sendMarketing(channelId: string, body: MarketingMessageBody, options?: KeyedOptions): Promise<SendResponse> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/channels/${channelId}/marketing-messages`, body, isKeyed: true },
      options,
    )
  }
}

export class Numbers extends Resource {
  /** List the people whom a number has blocked. Give `next_cursor` as `cursor` for the next page. Scope: `messages:read`. */
  listBlocked(
    channelId: string,
    query: { limit?: number | undefined; cursor?: string | undefined } = {},
    options?: RequestOptions,
  ): List<BlockedPerson> {
    return this.requester.list(
      'blocked',
      { method: 'GET', path: path`/api/v1/channels/${channelId}/blocked`, query },
      options,
    )
  }

  /** Block people, who then cannot write to the number. Only people who wrote to the number in the last 24 hours can be blocked. The answer lists those whom the upstream refused. Scope: `number:write`. */
  blockPeople(channelId: string, body: BlockRequest, options?: RequestOptions): Promise<PeopleBlocked> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/channels/${channelId}/blocked`, body }, options)
  }

  /** Unblock people. The answer lists those whom the upstream refused. Scope: `number:write`. */
  unblockPeople(channelId: string, body: BlockRequest, options?: RequestOptions): Promise<PeopleUnblocked> {
    return this.requester.send({ method: 'DELETE', path: path`/api/v1/channels/${channelId}/blocked`, body }, options)
  }

  /** List the QR codes of a number. Each code has its text and the link that it stands for. Scope: `channels:read`. */
  listQrCodes(
    channelId: string,
    query: {
      limit?: number | undefined
      cursor?: string | undefined /** The format of the picture in `qr_image_url`, which is null without it. */
      image?: 'svg' | 'png' | undefined
    } = {},
    options?: RequestOptions,
  ): List<QrCode> {
    return this.requester.list(
      'qr_codes',
      { method: 'GET', path: path`/api/v1/channels/${channelId}/qr-codes`, query },
      options,
    )
  }

  /** Create a QR code that opens a chat with a text. The text is filled in for the person who scans the code. Give `image` for a picture of the code. Scope: `number:write`. */
  createQrCode(channelId: string, body: SaveQrCode, options?: RequestOptions): Promise<QrCodeResponse> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/channels/${channelId}/qr-codes`, body }, options)
  }

  /** Change the text of a QR code. The printed code stays valid and opens a chat with the new text. Scope: `number:write`. */
  updateQrCode(channelId: string, code: string, body: SaveQrCode, options?: RequestOptions): Promise<QrCodeResponse> {
    return this.requester.send(
      { method: 'PATCH', path: path`/api/v1/channels/${channelId}/qr-codes/${code}`, body },
      options,
    )
  }

  /** Delete a QR code. The printed code no longer opens a chat. Scope: `number:write`. */
  deleteQrCode(channelId: string, code: string, options?: RequestOptions): Promise<QrCodeDeleted> {
    return this.requester.send(
      { method: 'DELETE', path: path`/api/v1/channels/${channelId}/qr-codes/${code}` },
      options,
    )
  }

  /** Get the username of a number. The answer has the username and what the upstream says of its state. Scope: `channels:read`. */
  getUsername(channelId: string, options?: RequestOptions): Promise<UsernameResponse> {
    return this.requester.send({ method: 'GET', path: path`/api/v1/channels/${channelId}/username` }, options)
  }

  /** Set the username of a number. The upstream decides whether the number gets the username. Scope: `number:write`. */
  setUsername(channelId: string, body: SetUsername, options?: RequestOptions): Promise<UsernameResponse> {
    return this.requester.send({ method: 'PUT', path: path`/api/v1/channels/${channelId}/username`, body }, options)
  }

  /** Give the username of a number back. The number has no username from then on. Scope: `number:write`. */
  deleteUsername(channelId: string, options?: RequestOptions): Promise<UsernameResponse> {
    return this.requester.send({ method: 'DELETE', path: path`/api/v1/channels/${channelId}/username` }, options)
  }
}

export class Templates extends Resource {
  /** List the templates of a channel's account. The list comes from the upstream at the time of the request. Members that the hub does not know are passed on. Scope: `templates:read`. */
  list(
    channelId: string,
    query: { limit?: number | undefined; cursor?: string | undefined } = {},
    options?: RequestOptions,
  ): List<Template> {
    return this.requester.list(
      'templates',
      { method: 'GET', path: path`/api/v1/channels/${channelId}/templates`, query },
      options,
    )
  }

  /** Create a template upstream. The upstream reviews the template. An event says when it is approved or rejected. Scope: `templates:write`. */
  create(channelId: string, body: CreateTemplate, options?: RequestOptions): Promise<TemplateCreated> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/channels/${channelId}/templates`, body }, options)
  }
}

export class Upstream extends Resource {
  /** Read the number's profile. Give the fields that you want in `fields`. Scope: `channels:read`. */
  readProfile(
    phoneNumberId: string,
    query: { fields?: string | undefined; messaging_product?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<UpstreamProfileList> {
    return this.requester.send(
      { method: 'GET', path: path`/upstream/${phoneNumberId}/whatsapp_business_profile`, query, isBare: true },
      options,
    )
  }

  /** Change the number's profile. Only the members of the body change. Scope: `profile:write`. */
  updateProfile(
    phoneNumberId: string,
    body: UpstreamProfile,
    query: { messaging_product?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<UpstreamSuccess> {
    return this.requester.send(
      { method: 'POST', path: path`/upstream/${phoneNumberId}/whatsapp_business_profile`, query, body, isBare: true },
      options,
    )
  }

  /** List the account's templates. Links to further pages lead to the hub. Scope: `templates:read`. */
  listTemplates(
    wabaId: string,
    query: {
      fields?: string | undefined
      limit?: string | undefined
      after?: string | undefined
      before?: string | undefined
      name?: string | undefined
      name_or_content?: string | undefined
      content?: string | undefined
      category?: string | undefined
      language?: string | undefined
      status?: string | undefined
      quality_score?: string | undefined
      source?: string | undefined
      since?: string | undefined
      until?: string | undefined
    } = {},
    options?: RequestOptions,
  ): Promise<UpstreamTemplateList> {
    return this.requester.send(
      { method: 'GET', path: path`/upstream/${wabaId}/message_templates`, query, isBare: true },
      options,
    )
  }

  /** Create a template. The upstream reviews the template. An event says when it is approved or rejected. Scope: `templates:write`. */
  createTemplate(wabaId: string, body: UpstreamTemplate, options?: RequestOptions): Promise<UpstreamTemplateCreated> {
    return this.requester.send(
      { method: 'POST', path: path`/upstream/${wabaId}/message_templates`, body, isBare: true },
      options,
    )
  }

  /** Delete a template by name, and with `hsm_id` one language only. Without `hsm_id` the template is deleted in every language. Scope: `templates:write`. */
  deleteTemplates(
    wabaId: string,
    query: { name: string; hsm_id?: string | undefined },
    options?: RequestOptions,
  ): Promise<UpstreamSuccess> {
    return this.requester.send(
      { method: 'DELETE', path: path`/upstream/${wabaId}/message_templates`, query, isBare: true },
      options,
    )
  }

  /** Send a message or a read receipt. Such a send has no idempotency key: after a lost answer, look into the log before you send again. Scope: `messages:send`. */
  postMessage(
    phoneNumberId: string,
    body: UpstreamMessage,
    query: { messaging_product?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<UpstreamMessageSent> {
    return this.requester.send(
      { method: 'POST', path: path`/upstream/${phoneNumberId}/messages`, query, body, isBare: true },
      options,
    )
  }

  /** Upload a file for sending. Give the `id` of the answer in a message. Scope: `media:write`. */
  uploadMedia(
    phoneNumberId: string,
    body: UpstreamMediaForm,
    query: { messaging_product?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<UpstreamMediaUploaded> {
    return this.requester.send(
      { method: 'POST', path: path`/upstream/${phoneNumberId}/media`, query, form: body, isBare: true },
      options,
    )
  }

  /** Reject or end a call. The hub forwards `reject` and `terminate` only. Scope: `calls:write`. */
  endCall(
    phoneNumberId: string,
    body: UpstreamCall,
    query: { messaging_product?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<UpstreamSuccess> {
    return this.requester.send(
      { method: 'POST', path: path`/upstream/${phoneNumberId}/calls`, query, body, isBare: true },
      options,
    )
  }

  /** Upload an example for a template's header. Give the handle of the answer as `example.header_handle` of a template. Scope: `templates:write`. */
  createHandle(
    wabaId: string,
    body: UpstreamHandleForm,
    query: { messaging_product?: string | undefined } = {},
    options?: RequestOptions,
  ): Promise<UpstreamHandle> {
    return this.requester.send(
      { method: 'POST', path: path`/upstream/${wabaId}/header_handle`, query, form: body, isBare: true },
      options,
    )
  }
}

export class Webhooks extends Resource {
  /** List every webhook endpoint, newest first. The list includes paused and disabled endpoints. Secrets are not shown. Scope: `webhooks:read`. */
  list(options?: RequestOptions): List<Webhook> {
    return this.requester.list('webhooks', { method: 'GET', path: '/api/v1/webhooks' }, options)
  }

  /** Create a webhook endpoint; its secret is shown once. The hub checks that the URL leads to a public address. Events from then on are delivered to it. Scope: `webhooks:write`. */
  create(body: CreateWebhook, options?: RequestOptions): Promise<WebhookCreated> {
    return this.requester.send({ method: 'POST', path: '/api/v1/webhooks', body }, options)
  }

  /** Get a webhook endpoint. The answer has the state of the endpoint, but not its secret. Scope: `webhooks:read`. */
  get(webhookId: string, options?: RequestOptions): Promise<WebhookResponse> {
    return this.requester.send({ method: 'GET', path: path`/api/v1/webhooks/${webhookId}` }, options)
  }

  /** Change a webhook endpoint, or pause, disable or reactivate it. Only the members of the body change. Reactivating an endpoint does not replay what it missed. Scope: `webhooks:write`. */
  update(webhookId: string, body: UpdateWebhook, options?: RequestOptions): Promise<WebhookResponse> {
    return this.requester.send({ method: 'PATCH', path: path`/api/v1/webhooks/${webhookId}`, body }, options)
  }

  /** Delete a webhook endpoint and its log, for good. Its open deliveries are not sent any more. Scope: `webhooks:write`. */
  delete(webhookId: string, options?: RequestOptions): Promise<WebhookDeleted> {
    return this.requester.send({ method: 'DELETE', path: path`/api/v1/webhooks/${webhookId}` }, options)
  }

  /** List when an endpoint was paused, and how many events it did not get. Newest first, up to 100. Events of a pause make no delivery, not even after it. A pause counts the events that the endpoint subscribes to when it ends. Scope: `webhooks:read`. */
  listPauses(webhookId: string, options?: RequestOptions): List<Pause> {
    return this.requester.list('pauses', { method: 'GET', path: path`/api/v1/webhooks/${webhookId}/pauses` }, options)
  }

  /** Replace the secret, at once or with an overlap; the new one is shown once. With an overlap, deliveries carry a signature of each secret until it ends. Scope: `webhooks:write`. */
  rotateSecret(webhookId: string, body?: RotateSecret, options?: RequestOptions): Promise<SecretRotated> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/webhooks/${webhookId}/rotate-secret`, body },
      options,
    )
  }

  /** List the 50 most recent deliveries of a webhook endpoint, newest first. A delivery is final when it succeeded, is dead or was canceled. Scope: `webhooks:read`. */
  listDeliveries(webhookId: string, options?: RequestOptions): List<Delivery> {
    return this.requester.list(
      'deliveries',
      { method: 'GET', path: path`/api/v1/webhooks/${webhookId}/deliveries` },
      options,
    )
  }

  /** Look into one delivery: what was sent in each attempt and what came back. Each attempt has the status, the headers and the beginning of the body that the receiver answered with. Scope: `webhooks:read`. */
  getDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<DeliveryDetail> {
    return this.requester.send(
      { method: 'GET', path: path`/api/v1/webhooks/${webhookId}/deliveries/${deliveryId}` },
      options,
    )
  }

  /** Deliver the event of a settled delivery again. The replay is a new delivery of the same event. The original stays as it is. Scope: `webhooks:write`. */
  replayDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<Replayed> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/webhooks/${webhookId}/replay/${deliveryId}` },
      options,
    )
  }

  /** Attempt a delivery in retry now, instead of at its next_attempt_at. The attempt counts like any other. A delivery that is not waiting for a retry is 404. Scope: `webhooks:write`. */
  retryDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<Retried> {
    return this.requester.send(
      { method: 'POST', path: path`/api/v1/webhooks/${webhookId}/deliveries/${deliveryId}/retry` },
      options,
    )
  }

  /** Queue a synthetic event for an active webhook endpoint. The delivery is in the log like any other, and its event has the kind webhook.test. Scope: `webhooks:write`. */
  test(webhookId: string, options?: RequestOptions): Promise<Tested> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/webhooks/${webhookId}/test` }, options)
  }

  /** Replay the dead and canceled deliveries of a span of time. Up to 10,000 deliveries of the span are replayed, each of them once. The operation can be called once a minute. Scope: `webhooks:write`. */
  recoverDeliveries(webhookId: string, body: Recover, options?: RequestOptions): Promise<Recovered> {
    return this.requester.send({ method: 'POST', path: path`/api/v1/webhooks/${webhookId}/recover`, body }, options)
  }
}

/** Every resource of the hub. */
export class Resources {
  readonly apiKeys: ApiKeys
  readonly auditLog: AuditLog
  readonly billing: Billing
  readonly channels: Channels
  readonly listeners: Listeners
  readonly media: Media
  readonly messages: Messages
  readonly numbers: Numbers
  readonly templates: Templates
  readonly upstream: Upstream
  readonly webhooks: Webhooks

  constructor(requester: Requester) {
    this.apiKeys = new ApiKeys(requester)
    this.auditLog = new AuditLog(requester)
    this.billing = new Billing(requester)
    this.channels = new Channels(requester)
    this.listeners = new Listeners(requester)
    this.media = new Media(requester)
    this.messages = new Messages(requester)
    this.numbers = new Numbers(requester)
    this.templates = new Templates(requester)
    this.upstream = new Upstream(requester)
    this.webhooks = new Webhooks(requester)
  }
}
