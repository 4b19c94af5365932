// Generated from the server's definitions by `npm run generate`. Do not edit.

export const HUB_VERSION = '0.1.0'
export const REQUESTS_MAX = { perKey: 600, perOrganization: 3000, webhooks: 120, sends: 80, facade: 80 } as const
export const PLANS = {
  free: { channels: 2, webhook_endpoints: 5, addonsMax: 0 },
  starter: { channels: 5, webhook_endpoints: 20, addonsMax: 20 },
  pro: { channels: 20, webhook_endpoints: 100, addonsMax: 200 },
} as const
export const PAID_PLANS = ['starter', 'pro'] as const
export const PREVIEW_SECONDS = 600
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const
export const ROLE_SCOPES = {
  viewer: [
    'channels:read',
    'messages:read',
    'templates:read',
    'webhooks:read',
    'api_keys:read',
    'billing:read',
    'audit:read',
  ],
  developer: [
    'channels:read',
    'messages:read',
    'templates:read',
    'webhooks:read',
    'api_keys:read',
    'billing:read',
    'audit:read',
    'channels:write',
    'messages:send',
    'media:write',
    'templates:write',
    'profile:write',
    'calls:write',
    'number:write',
    'webhooks:write',
  ],
  admin: [
    'channels:read',
    'messages:read',
    'templates:read',
    'webhooks:read',
    'api_keys:read',
    'billing:read',
    'audit:read',
    'channels:write',
    'messages:send',
    'media:write',
    'templates:write',
    'profile:write',
    'calls:write',
    'number:write',
    'webhooks:write',
    'api_keys:write',
  ],
  owner: [
    'channels:read',
    'channels:write',
    'messages:read',
    'messages:send',
    'media:write',
    'templates:read',
    'templates:write',
    'profile:write',
    'calls:write',
    'number:write',
    'webhooks:read',
    'webhooks:write',
    'api_keys:read',
    'api_keys:write',
    'billing:read',
    'billing:write',
    'audit:read',
  ],
} as const
export const NEW_TOKEN_SCOPES = [
  'channels:read',
  'messages:read',
  'templates:read',
  'messages:send',
  'media:write',
  'profile:write',
  'templates:write',
  'calls:write',
] as const
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
export const PASSWORD_LENGTH = { min: 8, max: 200 } as const
export const CHANNEL_STATUSES = ['pending', 'active', 'degraded', 'disconnected'] as const
export const QUALITY_RATINGS = ['GREEN', 'YELLOW', 'RED'] as const
export const ACTIVITY_IDS_MAX = 100
export const RANGES = ['24h', '7d', '30d'] as const
export const DIRECTIONS = ['inbound', 'outbound'] as const
export const MESSAGE_STATUSES = [
  'received',
  'sending',
  'unknown',
  'accepted',
  'sent',
  'failed',
  'delivered',
  'read',
] as const
export const MESSAGE_TYPES = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
] as const
export const EXAMPLE_BYTES_MAX = {
  'image/jpeg': 5242880,
  'image/png': 5242880,
  'video/mp4': 16777216,
  'application/pdf': 104857600,
} as const
export const ENDPOINT_STATUSES = ['active', 'paused', 'disabled'] as const
export const PAYLOAD_MODES = ['normalized', 'upstream_raw'] as const
export const DELIVERY_FORMATS = ['native', 'compat'] as const
export const SIGNATURE_VERSIONS = { native: 'v2', compat: 'compat-v1' } as const
export const DELIVERY_STATUSES = ['pending', 'processing', 'retry', 'succeeded', 'dead', 'canceled'] as const
export const DELIVERY_DEADLINE_MS = 10000
export const WAITS_MS = [5000, 60000, 300000, 1800000, 7200000, 21600000, 43200000, 86400000, 172800000] as const
export const ATTEMPT_ERRORS = [
  'TIMEOUT',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'DNS_FAILED',
  'DESTINATION_NOT_ALLOWED',
  'INTERRUPTED',
  'UNREADABLE',
] as const
export const RESPONSE_BYTES_KEPT = 4096
export const FAILURES_MAX = 20
export const QUEUED_MAX = 1000
export const HELD_MAX = 100
export const UNKNOWN_SENDS_MAX = 1000
export const ATTENTION_MAX = 50
