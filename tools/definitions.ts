import { LANGUAGES } from '../locales/languages.ts'
import { LIMITS } from '../server/src/app/http/rate-limits.ts'
import { CHANNEL_TOKEN_SCOPES, NEW_TOKEN_SCOPES, ROLE_SCOPES, ROLES } from '../server/src/domains/auth/scopes.ts'
import { PASSWORD_LENGTH } from '../server/src/domains/auth/users/passwords.ts'
import { PAID_PLANS, PLANS } from '../server/src/domains/billing/plans/plans.ts'
import { PREVIEW_SECONDS } from '../server/src/domains/billing/previews/service.ts'
import { HISTORY_IMPORTS } from '../server/src/domains/channels/history-import.ts'
import { CHANNEL_STATUSES } from '../server/src/domains/channels/status.ts'
import { COST_GROUPINGS } from '../server/src/domains/costs/report/schemas.ts'
import { EVENT_KIND_NAMES } from '../server/src/domains/events/catalog.ts'
import { EXAMPLE_BYTES_MAX } from '../server/src/domains/facade/header-handles/examples.ts'
import { MESSAGE_TYPES } from '../server/src/domains/messages/body/message-body.ts'
import { DIRECTIONS, MESSAGE_STATUSES } from '../server/src/domains/messages/status.ts'
import { IDS_MAX } from '../server/src/domains/overview/activity/schemas.ts'
import { ATTENTION_MAX, HELD_MAX, QUEUED_MAX, UNKNOWN_SENDS_MAX } from '../server/src/domains/overview/caps.ts'
import { RANGE_NAMES } from '../server/src/domains/overview/period.ts'
import { QUALITY_RATINGS } from '../server/src/domains/sandbox/schemas.ts'
import { MEDIA_URLS } from '../server/src/domains/webhooks/attempts/media-urls.ts'
import { BODY_BYTES_KEPT } from '../server/src/domains/webhooks/attempts/received-response.ts'
import { WAITS_MS } from '../server/src/domains/webhooks/attempts/retry-schedule.ts'
import { DEADLINE_MS } from '../server/src/domains/webhooks/attempts/sender.ts'
import { DELIVERY_FORMATS, SIGNATURE_VERSIONS } from '../server/src/domains/webhooks/attempts/signature.ts'
import { PAUSE_AT } from '../server/src/domains/webhooks/endpoints/failure-count.ts'
import { ENDPOINT_STATUSES, PAYLOAD_MODES } from '../server/src/domains/webhooks/endpoints/schemas.ts'
import { LISTENER_SECRET_HEADER } from '../server/src/domains/webhooks/listeners/schemas.ts'
import { DELIVERY_STATUSES } from '../server/src/domains/webhooks/log/schemas.ts'
import { ATTEMPT_ERRORS } from '../server/src/domains/webhooks/results/attempt-result.ts'
import { VERSION } from '../server/src/kernel/version.ts'
import { formatSource } from './sdk/generate-sdk.ts'

const { general, webhooks, sends, facade } = LIMITS

/** The values of the server that the dashboard and the CLI show or check, so that no client writes them again. */
const DEFINITIONS: Record<string, Record<string, unknown>> = {
  'dashboard/src/api/generated/definitions.gen.ts': {
    HUB_VERSION: VERSION,
    REQUESTS_MAX: {
      perKey: general.requests,
      perOrganization: general.perOrganization.requests,
      webhooks: webhooks.requests,
      sends: sends.requests,
      facade: facade.requests,
    },
    PLANS,
    PAID_PLANS,
    PREVIEW_SECONDS,
    ROLES,
    ROLE_SCOPES,
    NEW_TOKEN_SCOPES,
    CHANNEL_TOKEN_SCOPES,
    PASSWORD_LENGTH,
    CHANNEL_STATUSES,
    QUALITY_RATINGS,
    ACTIVITY_IDS_MAX: IDS_MAX,
    RANGES: RANGE_NAMES,
    DIRECTIONS,
    MESSAGE_STATUSES,
    MESSAGE_TYPES,
    EXAMPLE_BYTES_MAX,
    ENDPOINT_STATUSES,
    PAYLOAD_MODES,
    DELIVERY_FORMATS,
    SIGNATURE_VERSIONS,
    DELIVERY_STATUSES,
    DELIVERY_DEADLINE_MS: DEADLINE_MS,
    WAITS_MS,
    ATTEMPT_ERRORS,
    RESPONSE_BYTES_KEPT: BODY_BYTES_KEPT,
    FAILURES_MAX: PAUSE_AT,
    QUEUED_MAX,
    HELD_MAX,
    UNKNOWN_SENDS_MAX,
    ATTENTION_MAX,
  },
  'cli/src/generated/definitions.gen.ts': {
    CHANNEL_TOKEN_SCOPES,
    CHANNEL_STATUSES,
    COST_GROUPINGS,
    DIRECTIONS,
    DELIVERY_STATUSES,
    EVENT_KINDS: EVENT_KIND_NAMES,
    HISTORY_IMPORTS,
    LANGUAGES,
    LISTENER_SECRET_HEADER,
    MEDIA_URLS,
  },
}

export function generateDefinitions(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DEFINITIONS).map(([path, values]) => [path, formatSource(root, path, writeValues(values))]),
  )
}

function writeValues(values: Record<string, unknown>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    return `export const ${name} = ${JSON.stringify(value)}${typeof value === 'object' ? ' as const' : ''}`
  })
  return `// Generated from the server's definitions by \`npm run generate\`. Do not edit.\n\n${lines.join('\n')}\n`
}
