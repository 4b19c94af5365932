import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LANGUAGES } from '@hubline/locales/languages.ts'
import type { AlertKind } from '../src/domains/alerts/store.ts'
import type { ActorType } from '../src/domains/audit/initiator.ts'
import { ROLES } from '../src/domains/auth/scopes.ts'
import type { CredentialKind } from '../src/domains/auth/store.ts'
import type { Route } from '../src/domains/billing/idempotency/store.ts'
import type { LinkKind } from '../src/domains/billing/links/store.ts'
import { SUBSCRIPTION_STATUSES } from '../src/domains/billing/plans/entitlement.ts'
import { PLAN_NAMES } from '../src/domains/billing/plans/plans.ts'
import type { Counter } from '../src/domains/billing/usage/store.ts'
import { DEREGISTRATION_VALUES } from '../src/domains/channels/deregistration.ts'
import { HISTORY_IMPORTS } from '../src/domains/channels/history-import.ts'
import { CHANNEL_STATUSES } from '../src/domains/channels/status.ts'
import { HOLD_REASONS } from '../src/domains/hold/store.ts'
import { DIRECTIONS, MESSAGE_STATUSES } from '../src/domains/messages/status.ts'
import { LOGO_TYPES } from '../src/domains/organizations/settings/logo-image.ts'
import type { Erasure } from '../src/domains/privacy/erasures/schemas.ts'
import { UNSENDABLE_STATUSES } from '../src/domains/templates/sendability/report.ts'
import { INSPECTOR_ANSWERS } from '../src/domains/webhooks/attempts/inspector-answer.ts'
import { MEDIA_URLS } from '../src/domains/webhooks/attempts/media-urls.ts'
import { DELIVERY_FORMATS } from '../src/domains/webhooks/attempts/signature.ts'
import { ENDPOINT_STATUSES, PAUSE_CAUSES, PAYLOAD_MODES } from '../src/domains/webhooks/endpoints/schemas.ts'
import { DELIVERY_STATUSES } from '../src/domains/webhooks/log/schemas.ts'
import { testDatabase } from './database.ts'

const QUEUED: readonly string[] = ['pending', 'processing', 'retry']

/** The values that the code writes into each column that a constraint limits to a list of texts. */
const WRITTEN: Record<string, readonly string[]> = {
  'alert_mails.kind': all<AlertKind>({ endpoint_paused: 1, channel_degraded: 1, channel_disconnected: 1 }),
  'audit_entries.actor_type': all<ActorType>({ user: 1, api_key: 1, channel_token: 1, operator: 1, system: 1 }),
  'billing_links.kind': all<LinkKind>({ portal: 1, plan: 1 }),
  'billing_requests.route': all<Route>({ addons: 1, checkout: 1 }),
  'channels.deregistration': Object.keys(DEREGISTRATION_VALUES),
  'channels.import_history': HISTORY_IMPORTS,
  'channels.status': CHANNEL_STATUSES,
  'credentials.kind': all<CredentialKind>({ api_key: 1, channel_token: 1 }),
  'deliveries.status': DELIVERY_STATUSES.filter((status) => !QUEUED.includes(status)),
  'erasures.status': all<Erasure['status']>({ running: 1, done: 1 }),
  'installation.hold_reason': HOLD_REASONS,
  'invitations.role': ROLES,
  'memberships.role': ROLES,
  'messages.direction': DIRECTIONS,
  'messages.status': MESSAGE_STATUSES,
  'organizations.language': LANGUAGES,
  'organizations.logo_type': LOGO_TYPES,
  'subscriptions.plan': PLAN_NAMES,
  'subscriptions.status': SUBSCRIPTION_STATUSES,
  'unsendable_templates.status': UNSENDABLE_STATUSES,
  'usage_deltas.counter': all<Counter>({ messages_sent: 1, messages_received: 1, deliveries: 1 }),
  'webhook_endpoints.delivery_format': DELIVERY_FORMATS,
  'webhook_endpoints.inspector_answer': INSPECTOR_ANSWERS,
  'webhook_endpoints.media_urls': MEDIA_URLS,
  'webhook_endpoints.payload_mode': PAYLOAD_MODES,
  'webhook_endpoints.status': ENDPOINT_STATUSES,
  'webhook_pauses.cause': PAUSE_CAUSES,
}

/** This is a record, so that the compiler finds a value of the type that is missing here. */
function all<Value extends string>(values: Record<Value, 1>): string[] {
  return Object.keys(values)
}

type ListConstraint = { table: string; name: string; definition: string }

async function readConstraints() {
  const { sql } = await testDatabase()
  const rows = await sql<ListConstraint[]>`
    select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    where c.contype = 'c' and not t.relispartition and pg_get_constraintdef(c.oid) like '%ARRAY[%'`
  return rows.map(({ table, name, definition }) => {
    const [, column = definition, list = ''] =
      /^CHECK \(\((\w+) = ANY \(ARRAY\[(.+)\]\)\)\)(?: NOT VALID)?$/.exec(definition) ?? []
    const allowed = [...list.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value)
    return { table, name, column, allowed }
  })
}

function nameNextMigration(): string {
  const names = readdirSync(join(import.meta.dirname, '../migrations'))
  const last = Math.max(...names.map((name) => Number.parseInt(name, 10)))
  return `server/migrations/${String(last + 1).padStart(4, '0')}-….sql`
}

test('every constraint of a column to a list of texts is compared with the code', async () => {
  const columns = (await readConstraints()).map(({ table, column }) => `${table}.${column}`)

  assert.deepEqual(columns.sort(), Object.keys(WRITTEN).sort())
})

test('the database allows exactly the values that the code writes', async () => {
  for (const { table, name, column, allowed } of await readConstraints()) {
    const written = [...(WRITTEN[`${table}.${column}`] ?? [])].sort()
    const change = `alter table ${table} drop constraint ${name}, add constraint ${name} check (${column} in ('${written.join("', '")}'))`
    const message = `${table}.${column} allows ${allowed.join(', ')}. Write ${nameNextMigration()} with: ${change};`

    assert.deepEqual(allowed.sort(), written, message)
  }
})
