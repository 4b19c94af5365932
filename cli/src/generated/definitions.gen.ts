// Generated from the server's definitions by `npm run generate`. Do not edit.

export const CHANNEL_TOKEN_SCOPES = [
  'channels:read',
  'messages:read',
  'templates:read',
  'messages:send',
  'media:write',
  'profile:write',
  'templates:write',
  'calls:write',
  'number:write',
] as const
export const CHANNEL_STATUSES = ['pending', 'active', 'degraded', 'disconnected'] as const
export const COST_GROUPINGS = ['channel', 'category', 'country', 'day'] as const
export const DIRECTIONS = ['inbound', 'outbound'] as const
export const DELIVERY_STATUSES = ['pending', 'processing', 'retry', 'succeeded', 'dead', 'canceled'] as const
export const EVENT_KINDS = [
  'channel.created',
  'channel.connected',
  'channel.degraded',
  'channel.disconnected',
  'message.received',
  'message.sent',
  'message.status',
  'message.echo',
  'message.edited',
  'message.revoked',
  'payment.status',
  'contact.preferences',
  'contact.changed',
  'contact.synced',
  'call.received',
  'call.status',
  'group.changed',
  'flow.status',
  'history.message',
  'template.status',
  'phone.quality',
  'account.update',
  'endpoint.paused',
  'cost.budget_reached',
  'upstream.raw',
  'webhook.test',
] as const
export const HISTORY_IMPORTS = ['off', 'events'] as const
export const LANGUAGES = ['en', 'pt-BR', 'es'] as const
export const LISTENER_SECRET_HEADER = 'x-hub-listener-secret'
export const MEDIA_URLS = ['upstream', 'hub'] as const
