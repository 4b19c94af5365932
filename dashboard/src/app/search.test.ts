import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'
import fc from 'fast-check'
import { parseAuditSearch, toQuery } from '../features/audit/search.ts'
import { parseChannelSearch } from '../features/channels/detail/search.ts'
import { parseChannelsSearch } from '../features/channels/list/search.ts'
import { parseCostsSearch } from '../features/costs/search.ts'
import { parseDevelopersSearch, toFilters as toRequestFilters } from '../features/developers/search.ts'
import { parseMessageSearch, toFilters as toMessageFilters } from '../features/messages/search.ts'
import { parseOverviewSearch } from '../features/overview/search.ts'
import { parseSandboxSearch } from '../features/sandbox/search.ts'
import { parseDetailSearch, parseListSearch, toDeliveryFilters } from '../features/webhooks/search.ts'
import {
  onlyKnown,
  parseApiKeysSearch,
  parseEditorSearch,
  parseMembersSearch,
  parsePrivacySearch,
  parseSignInSearch,
  parseTemplateSearch,
} from './search.ts'

type Parse = (given: Record<string, unknown>) => object
type Schema = {
  type: 'string' | 'integer'
  enum?: string[]
  format?: 'uuid' | 'date-time'
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

const NOW = new Date('2026-11-17T14:30:00Z')
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const PAGES: Record<string, Parse> = {
  apiKeys: parseApiKeysSearch,
  audit: parseAuditSearch,
  channel: parseChannelSearch,
  channels: parseChannelsSearch,
  costs: parseCostsSearch,
  developers: parseDevelopersSearch,
  editor: parseEditorSearch,
  members: parseMembersSearch,
  messages: parseMessageSearch,
  overview: parseOverviewSearch,
  privacy: parsePrivacySearch,
  sandbox: parseSandboxSearch,
  signIn: parseSignInSearch,
  templates: parseTemplateSearch,
  webhook: parseDetailSearch,
  webhooks: parseListSearch,
}

/** Every name that a page has in its address. */
const NAMES = [
  ...['action', 'actor_id', 'attempt', 'by', 'channel', 'channel_id', 'coexistence', 'create', 'credential_id'],
  ...['customer', 'date', 'dialog', 'direction', 'error_code', 'event', 'format', 'http', 'id', 'invite', 'kind'],
  ...[
    'method',
    'mode',
    'month',
    'open',
    'person',
    'q',
    'quality',
    'range',
    'request_id',
    'return_to',
    'route',
    'row',
    'show',
  ],
  ...['name', 'number_end', 'since', 'status', 'tab', 'target_id', 'template', 'type'],
]
/** Values that the pages themselves write, and others that they do not. */
const values = fc.oneof(
  fc.constantFrom('active', 'failed', 'unknown', 'GREEN', 'yes', '24h', 'today', '2026-11-01..', '4xx', 404, 'GET'),
  fc.constantFrom('webhook.test', 'compat', 'test', 'inbound', 'text', 'deliveries', 'create', true, 131047, 'week'),
  fc.constantFrom('BR.1349120865', '+55 (11) 95550-0199', 5511955500199, 'wamid.HBgNNTU=', '/messages?status=failed'),
  fc.constantFrom('constructor', '__proto__', 'toString', '', ' ', '0000000', '-'.repeat(36), 1e300, -1, 1.5, null),
  fc.constantFrom('2026-02-31..2026-02-31', '..', '0050-01-01..', '9999-12-30..9999-12-30'),
  fc.uuid(),
  fc.uuid().map((id) => ` ${id.toUpperCase()} `),
  fc.constantFrom('x'.repeat(600), '9'.repeat(15), 99_999_999, 100_000_000),
  fc.string({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 1 }),
)
const addresses = fc.record(Object.fromEntries(NAMES.map((name) => [name, values])), { requiredKeys: [] })

for (const [page, parse] of Object.entries(PAGES)) {
  test(`${page}: what a page reads of its address is the same after it is written there`, () => {
    fc.assert(
      fc.property(addresses, (given) => {
        const read = parse(given)
        assert.deepEqual(parse(defaultParseSearch(defaultStringifySearch(read))), read)
      }),
    )
  })
}

/** The schemas of a route's query, from the description of the API. */
function readSchemas(path: string): Map<string, Schema> {
  const name = path.startsWith('/console/') ? 'openapi-console.json' : 'openapi.json'
  const file = join(import.meta.dirname, '../../..', name)
  const { paths } = JSON.parse(readFileSync(file, 'utf8'))
  const parameters: { name: string; schema: Schema }[] = paths[path].get.parameters
  return new Map(parameters.map(({ name, schema }) => [name, schema]))
}

function isTaken(value: unknown, schema: Schema | undefined): boolean {
  if (schema === undefined) return false
  if (schema.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
    return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  }
  if (typeof value !== 'string') return false
  if (schema.enum) return schema.enum.includes(value)
  if (schema.format === 'uuid') return UUID.test(value)
  if (schema.format === 'date-time') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
  const { length } = [...value]
  return length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Number.POSITIVE_INFINITY)
}

const QUERIES: Record<string, (given: Record<string, unknown>) => object> = {
  '/console/messages': (given) => toMessageFilters(parseMessageSearch(given), NOW),
  '/console/organizations/{id}/requests': (given) => toRequestFilters(parseDevelopersSearch(given), NOW),
  '/console/webhooks/{id}/deliveries': (given) => toDeliveryFilters(parseDetailSearch(given), NOW),
  '/console/statistics': (given) => parseOverviewSearch(given),
  '/api/v1/audit-log': (given) => toQuery(parseAuditSearch(given), NOW),
}

for (const [path, toFilters] of Object.entries(QUERIES)) {
  test(`${path}: the filters of any address are ones that the hub takes`, () => {
    const schemas = readSchemas(path)
    fc.assert(
      fc.property(addresses, (given) => {
        const refused = Object.entries(toFilters(given)).filter(([name, value]) => !isTaken(value, schemas.get(name)))
        assert.deepEqual(refused, [])
      }),
      { numRuns: 500 },
    )
  })
}

test('an unknown tab, range or status falls back on every page that has one', () => {
  const unknown = ['lost', '', 'constructor', '__proto__', 7, true, null, ['failed'], { status: 'failed' }]
  for (const [page, parse] of Object.entries(PAGES)) {
    for (const name of ['tab', 'range', 'status', 'http', 'date', 'dialog']) {
      for (const value of unknown) {
        const read = onlyKnown(parse)({ [name]: value }) as Record<string, unknown>
        const isCode = page === 'developers' && name === 'status'
        if (!isCode) assert.equal(read[name], undefined, `${page}: ${name}=${JSON.stringify(value)}`)
      }
    }
  }
})

test('a value that a page refuses does not reach it beside what the address has', () => {
  const given = { tab: 'constructor', other: 1 }

  assert.deepEqual({ ...given, ...onlyKnown(parseChannelSearch)(given) }, { tab: undefined, other: undefined })
  assert.deepEqual(onlyKnown(parseChannelSearch)({ tab: 'connect' }), { tab: 'connect' })
})

const ORIGIN = 'https://hub.example'

test('a sign-in leads back to the page that was asked for', () => {
  for (const return_to of ['/', '/messages?status=failed', '/channels/01a1e042#top']) {
    assert.deepEqual(parseSignInSearch({ return_to }), { return_to })
  }
})

test('a sign-in never leads to another site', () => {
  const parts = fc.constantFrom('/', '\\', '\t', '\n', '\r', ' ', 'evil.example', 'https:', '@', '.', '%2f')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), (address) => {
      const { return_to } = parseSignInSearch({ return_to: address.join('') })
      if (return_to !== undefined) assert.equal(new URL(return_to, ORIGIN).origin, ORIGIN)
    }),
    { numRuns: 2000 },
  )
})
