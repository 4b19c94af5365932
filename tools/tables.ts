import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLayer, findModule } from './architecture.ts'
import { isTest, readSources } from './sources.ts'
import { checkDefinitions, findFunctionUses, findSourceUses, listTables, readMigrations } from './table-uses.ts'

/** Tables with the modules that may read them, by the module that owns them. */
type TableList = Record<string, Record<string, readonly string[]>>

/**
 * Only the owner of a table writes it, and only the owner and its readers read it. A reader is a module above the owner that
 * joins the table for speed. Any other module calls the owner, or gets a part of its statement from it
 * (`buildOpenChannels`): from a module above by way of `app/context.ts`.
 */
const TABLES: TableList = {
  kernel: { rate_limits: [], sealing_keys: [] },
  'domains/audit': { audit_entries: [] },
  'domains/hold': { installation: [] },
  'domains/events': { events: ['domains/webhooks', 'domains/channels', 'domains/overview'] },
  'domains/auth': {
    users: ['domains/organizations'],
    recovery_codes: [],
    sessions: [],
    password_resets: [],
    email_verifications: [],
    credentials: ['domains/request-log'],
    credential_hashes: [],
  },
  'domains/organizations': {
    organizations: ['domains/connect-links', 'domains/request-log'],
    memberships: [],
    invitations: [],
    invitation_links: [],
    setup_codes: [],
    pending_sign_ups: [],
  },
  'domains/alerts': { alert_mails: [] },
  'domains/live-updates': { live_update_streams: [] },
  'domains/billing': {
    subscriptions: [],
    former_customers: [],
    payment_events: [],
    billing_requests: [],
    billing_previews: [],
    billing_links: [],
    billing_link_hashes: [],
    usage_deltas: [],
    usage_totals: [],
  },
  'domains/statistics': {
    message_count_deltas: ['domains/overview'],
    message_counts: ['domains/overview'],
    error_counts: ['domains/overview'],
    channel_activity: ['domains/overview'],
    attempt_count_deltas: ['domains/overview'],
    attempt_counts: ['domains/overview'],
  },
  'domains/webhooks': {
    webhook_endpoints: ['domains/overview'],
    webhook_endpoint_channels: ['domains/overview'],
    webhook_endpoint_health: ['domains/overview'],
    webhook_pauses: [],
    delivery_queue: ['domains/overview'],
    deferred_fan_outs: [],
    deliveries: [],
    delivery_attempts: [],
    deleted_endpoints: [],
    listeners: [],
    listener_deliveries: [],
  },
  'domains/connect-links': { connect_links: ['domains/overview'], connect_link_hashes: [] },
  'domains/channels': {
    channels: ['domains/costs', 'domains/messages', 'domains/overview'],
    channel_numbers: ['domains/inbound'],
  },
  'domains/templates': { unsendable_templates: [] },
  'domains/media': { channel_media: [] },
  'domains/costs': { cost_deltas: [], cost_totals: [], cost_checks: [], cost_alerts: [] },
  'domains/messages': {
    messages: [],
    contacts: [],
    message_wamids: [],
    message_keys: [],
    unsettled_sends: ['domains/overview'],
    deferred_log_entries: [],
    message_exports: [],
    export_leases: [],
  },
  'domains/inbound': { callbacks: [], seen_changes: [], refused_callbacks: [] },
  'domains/facade': { upload_sessions: [] },
  'domains/request-log': { logged_requests: [], request_log_positions: [] },
  'domains/privacy': { erasures: [] },
}

const LIST = 'TABLES in tools/tables.ts'
const SERVER = 'server/src'

type OwnedTable = { table: string; owner: string; readers: readonly string[] }

const DOCUMENT = 'docs/architecture.md'
const PART = /(<!-- tables: .* -->\n)[\s\S]*?(<!-- end of tables -->)/

/** Every statement that writes another module's table or reads it unlisted, and every entry of the list that does not hold. */
export function checkTables(root: string, list: TableList = TABLES): string[] {
  const migrations = readMigrations(root)
  const { places, names } = listTables(migrations)
  const uses = [
    ...readSources(root, [SERVER])
      .filter(({ path }) => !isTest(path))
      .flatMap((source) =>
        findSourceUses(source, names).map((use) => ({ ...use, module: findModule(source.path) ?? '' })),
      ),
    ...findFunctionUses(migrations, names),
  ]
  const owned = new Map(listOwned(list).map((table) => [table.table, table]))
  return [
    ...[...places]
      .filter(([table]) => !owned.has(table))
      .map(([table, place]) => `${place} creates ${table}, which has no owner: add it to ${LIST}.`),
    ...[...owned.keys()]
      .filter((table) => !places.has(table))
      .map((table) => `${LIST} has ${table}, which no migration creates.`),
    ...[...owned.values()].flatMap((table) => checkReaders(table, uses)),
    ...new Set(uses.flatMap((use) => findBreach(use, owned.get(use.table)) ?? [])),
    ...checkDefinitions(migrations, names),
  ]
}

type ModuleUse = ReturnType<typeof findSourceUses>[number] & { module: string }

function findBreach({ path, line, table, isWrite, module }: ModuleUse, owned?: OwnedTable): string | undefined {
  if (owned === undefined || module === owned.owner) return undefined
  const use = `${path}:${line} ${isWrite ? 'writes' : 'reads'} ${table}`
  if (module === '') return `${use}, and no comment above the statement names its owner: "-- Owner: ${owned.owner}".`
  if (isWrite) return `${use}, which only its owner, ${owned.owner}, may.`
  return owned.readers.includes(module)
    ? undefined
    : `${use}, but ${module} is neither its owner nor one of its readers in ${LIST}.`
}

function checkReaders({ table, owner, readers }: OwnedTable, uses: ModuleUse[]): string[] {
  return readers.flatMap((reader) => {
    const isRead = uses.some((use) => use.table === table && use.module === reader && !use.isWrite)
    if (!isRead) return [`${LIST} lets ${reader} read ${table}, but it does not.`]
    return findLayer(reader) > findLayer(owner)
      ? []
      : [`${LIST} lets ${reader} read ${table} of ${owner}, which is not below it.`]
  })
}

function listOwned(list: TableList): OwnedTable[] {
  return Object.entries(list).flatMap(([owner, tables]) =>
    Object.entries(tables).map(([table, readers]) => ({ table, owner, readers })),
  )
}

/** The document whose part has the list as a table. */
export function generateTables(root: string, list: TableList = TABLES): Record<string, string> {
  const rows = listOwned(list).map(
    ({ table, owner, readers }) => `| \`${table}\` | ${[owner, readers.join(', ')].join(' | ')} |`,
  )
  const part = ['| Table | Owner | Readers |', '|---|---|---|', ...rows].join('\n').replaceAll('domains/', '')
  const text = readFileSync(join(root, DOCUMENT), 'utf8')
  if (!PART.test(text)) throw new Error(`${DOCUMENT} has no part for the tables`)
  return { [DOCUMENT]: text.replace(PART, (_, opening, closing) => `${opening}\n${part}\n\n${closing}`) }
}
