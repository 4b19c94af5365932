import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROLES, SCOPES } from '../server/src/domains/auth/scopes.ts'
import { CATALOG, PRICE_KEYS, PRICED_ITEMS } from '../server/src/domains/billing/plans/catalog.ts'
import { PAID_PLANS, PLAN_NAMES, PLANS } from '../server/src/domains/billing/plans/plans.ts'
import { CHANNEL_STATUSES } from '../server/src/domains/channels/status.ts'
import { EVENT_KIND_NAMES } from '../server/src/domains/events/catalog.ts'
import { MESSAGE_TYPES } from '../server/src/domains/messages/body/message-body.ts'

const DOCS = join(import.meta.dirname, '../docs')

/** The values that a document lists for its readers. */
const LISTED: Record<string, readonly string[]> = {
  'guides/billing.md': PRICED_ITEMS,
  'guides/channels.md': CHANNEL_STATUSES,
  'guides/keys-and-scopes.md': SCOPES,
  'guides/messages.md': MESSAGE_TYPES,
  'guides/people-and-sessions.md': ROLES,
  'guides/webhooks.md': EVENT_KIND_NAMES,
  'operations.md': Object.values(PRICE_KEYS),
}

function read(document: string): string {
  return readFileSync(join(DOCS, document), 'utf8')
}

for (const [document, values] of Object.entries(LISTED)) {
  test(`docs/${document} lists every value that the code has`, () => {
    const text = read(document)

    assert.deepEqual(
      values.filter((value) => !new RegExp(`(?<![\\w:.-])${value}(?![\\w:-])`).test(text)),
      [],
    )
  })
}

/** The lines that list values, by how each begins or by words of it: a word of another line would not do. */
const LINES: [document: string, line: string, values: readonly string[]][] = [
  ['contract.md', '| billing.checkout-is-for-starter-or-pro |', PAID_PLANS],
  ['guides/billing.md', '`GET /console/billing/prices`', PRICED_ITEMS],
  ...PLAN_NAMES.map((plan): [string, string, string[]] => ['contract.md', `| billing.${plan}-plan |`, [plan]]),
]

for (const [document, words, values] of LINES) {
  test(`the line ${words} of docs/${document} lists every value that the code has`, () => {
    const line = read(document)
      .split('\n')
      .find((one) => one.includes(words))

    assert.deepEqual(
      values.filter((value) => !new RegExp(`\\b${value}\\b`, 'i').test(line ?? '')),
      [],
    )
  })
}

test('the billing guide has the default price of every item', () => {
  const guide = read('guides/billing.md')

  assert.deepEqual(
    CATALOG.filter(({ unitAmount }) => !guide.includes(`R$ ${(unitAmount / 100).toFixed(2)}`)),
    [],
  )
})

test('the table of the billing guide has the limits of every plan', () => {
  const plans = PLAN_NAMES.map((name) => PLANS[name])
  const rows = [
    ['', ...PLAN_NAMES, '`BILLING=off`'],
    ['channels', ...plans.map(({ channels }) => channels), '`MAX_CHANNELS`, 10,000'],
    [
      'additional connections, one channel each',
      ...plans.map(({ addonsMax: max }) => (max ? `0 to ${max}` : '–')),
      '–',
    ],
    ['webhook endpoints', ...plans.map(({ webhook_endpoints }) => webhook_endpoints), '`MAX_ENDPOINTS`, 1,000'],
  ]

  const guide = read('guides/billing.md')

  for (const row of rows)
    assert.ok(
      guide.includes(`|${row.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`),
      `docs/guides/billing.md needs the row ${row.join(' | ')}`,
    )
})
