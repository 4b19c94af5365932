/** Explains an error code to a person, for a reason that is not known or is for programs. */
export const en = {
  ADDON_NOT_ALLOWED: 'This number of additional connections is not possible now.',
  BILLING_OFF: 'Billing is off in this installation: there are no limits and nothing to buy.',
  CHANNEL_NOT_CONNECTED: 'The channel is not connected. Connect it with a new link.',
  CHECKOUT_NOT_ALLOWED: 'This plan cannot be chosen now.',
  CONFLICT: 'This is not possible as things are now.',
  CONNECT_LINK_EXPIRED: 'This link has expired. Ask for a new one.',
  CONNECT_LINK_USED: 'This link was used already. Ask for a new one.',
  HEADERS_TOO_LARGE: 'The address or the cookies of the request are too long. Remove some filters and try again.',
  IDEMPOTENCY_KEY_REUSED: 'The same key was used for another request. Load the page again and repeat the action.',
  INSUFFICIENT_SCOPE: 'Your role does not allow this.',
  INTERNAL_ERROR: 'The hub had a fault. Try again; if it stays, send the request id to support.',
  INVALID_MEDIA: 'WhatsApp does not take files of this type.',
  INVALID_REQUEST: 'The hub does not accept this entry.',
  INVALID_TEMPLATE_ID: 'The id of a template has digits only.',
  INVALID_WEBHOOK: 'Choose all channels, or at least one.',
  MEDIA_TOO_LARGE: 'The file is larger than WhatsApp allows for its type.',
  NOT_FOUND: 'It is not there, or no longer.',
  NOT_READY: 'The hub is starting, stopping or on hold. Try again later.',
  NUMBER_ALREADY_CONNECTED: 'This number is already connected to another channel.',
  OPERATION_IN_PROGRESS: 'The same is under way already. Wait until it has ended.',
  ORIGIN_NOT_ALLOWED:
    'The dashboard was opened at another address than the one of this hub. Open it at its own address.',
  OVERLOADED: 'The hub has too much to do right now. Try again in a moment.',
  PAYLOAD_TOO_LARGE: 'This is more than the hub takes at once.',
  QUOTA_EXCEEDED: 'The limit is reached.',
  RANGE_NOT_SATISFIABLE: 'The file is shorter than what was asked for.',
  RATE_LIMITED: 'Too many requests. Wait a moment and try again.',
  REQUEST_TIMEOUT: 'The request took too long. Check the connection and try again.',
  SEND_RESULT_UNKNOWN:
    'It is not known whether the message was sent. Look for it in the message log before you send it again.',
  SUBSCRIPTION_SUSPENDED:
    'The subscription is suspended: pay the open invoice to send messages and create channels again.',
  TWO_FACTOR_REQUIRED:
    'The organization requires two-factor sign-in. Turn it on in your account, or switch to another organization.',
  TEMPLATE_NOT_SENDABLE:
    'WhatsApp has paused, disabled or rejected this template. Send another one, or wait until it is approved again.',
  UNAUTHORIZED: 'The session has ended. Sign in again.',
  UNSUPPORTED_MEDIA_TYPE: 'The hub does not take this kind of content here.',
  UPSTREAM_REJECTED: 'WhatsApp refused the request.',
  UPSTREAM_UNAVAILABLE: 'The service behind the hub does not answer. Try again in a moment.',
  WEBHOOK_URL_NOT_ALLOWED: 'The hub does not deliver to this address.',
} as const
