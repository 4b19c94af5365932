import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAccountFields, parseFields, parsePlainFields } from './fields.ts'

const INVALID_FIELD_MODIFIER = { code: 'INVALID_FIELD_MODIFIER' }
const FIVE = 'id,name,currency,timezone_id,account_review_status'
const REPORT = 'pricing_analytics.start(1748761200).end(1749687703).granularity(DAILY)'

for (const text of [undefined, '', '  ']) {
  test(`an empty fields list of an account (${JSON.stringify(text)}) requests its five plain fields`, () => {
    assert.equal(parseAccountFields(text), FIVE)
  })
}

for (const [text, forwarded] of [
  ['id', 'id'],
  ['id, name ,currency', 'id,name,currency'],
  [FIVE, FIVE],
  ['pricing_analytics', 'pricing_analytics'],
  [REPORT, REPORT],
  [`id,${REPORT}`, `id,${REPORT}`],
  [`${REPORT}.dimensions(COUNTRY,PRICING_CATEGORY)`, `${REPORT}.dimensions(COUNTRY,PRICING_CATEGORY)`],
  [`${REPORT}.dimensions([COUNTRY,TIER])`, `${REPORT}.dimensions(COUNTRY,TIER)`],
  [`${REPORT}.dimensions(["COUNTRY","PRICING_TYPE"])`, `${REPORT}.dimensions(COUNTRY,PRICING_TYPE)`],
  [`${REPORT}.dimensions( [ "COUNTRY" , TIER ] )`, `${REPORT}.dimensions(COUNTRY,TIER)`],
  [`${REPORT}.dimensions([])`, `${REPORT}.dimensions([])`],
  [`${REPORT}.metric_types(COST,VOLUME),id`, `${REPORT}.metric_types(COST,VOLUME),id`],
] as const) {
  test(`the account fields ${text} are forwarded as ${forwarded}`, {
    rules: ['facade.field-modifiers-are-an-allowlist'],
  }, () => {
    assert.equal(parseAccountFields(text), forwarded)
  })
}

for (const text of [
  'phone_numbers',
  'owner_business_info',
  'message_templates',
  'analytics',
  'ID',
  'id,,name',
  ',id',
  'id,',
  'id name',
  'phone_numbers{id}',
  'name{id}',
  'id{}',
  'name.limit(1)',
  'id.as(x)',
  'id.',
  'id.start',
  'id.start(',
  'id)',
  `${REPORT}{data}`,
  `${REPORT}.phone_numbers(1)`,
  `${REPORT}.country_codes(BR)`,
  `${REPORT}.pricing_types(REGULAR)`,
  `${REPORT}.pricing_categories(SERVICE)`,
  `${REPORT}.tiers(x)`,
  `${REPORT}.as(id)`,
  `${REPORT}.limit(5)`,
  `${REPORT}.start(1)`,
  `${REPORT}.constructor(1)`,
  `${REPORT}.__proto__(1)`,
  `${REPORT}.START(1)`,
  'pricing_analytics.start(yesterday)',
  'pricing_analytics.start(-1)',
  'pricing_analytics.start(1e3)',
  'pricing_analytics.start(1){name}',
  'pricing_analytics.start((1))',
  'pricing_analytics.granularity(daily)',
  'pricing_analytics.granularity(DAILY).end',
  'pricing_analytics.granularity(["DAILY"])',
  `${REPORT}.dimensions(PHONE)`,
  `${REPORT}.dimensions(COUNTRY,PHONE)`,
  `${REPORT}.dimensions([PHONE])`,
  `${REPORT}.dimensions(["PHONE"])`,
  `${REPORT}.dimensions(["COUNTRY","PHONE"])`,
  `${REPORT}.dimensions(phone)`,
  `${REPORT}.dimensions( PHONE )`,
  `${REPORT}.dimensions(['PHONE'])`,
  `${REPORT}.dimensions(["P\\u0048ONE"])`,
  `${REPORT}.dimensions([[COUNTRY]])`,
  `${REPORT}.dimensions(["COUNTRY)`,
  `${REPORT}.dimensions(COUNTRY`,
  `${REPORT}.dimensions(COUNTRY).dimensions(PHONE)`,
  `${REPORT}.dimensions(COUNTRY,)`,
  `${REPORT}.metric_types(a b)`,
  `${REPORT}.dimensions(COUNTRY)phone_numbers`,
  `${REPORT}.dimensions(COUNTRY) phone_numbers{id}`,
  'id\nname',
  'id&name',
  'id%2Cname',
  'id#',
  '{id}',
  '(id)',
  '"id"',
  '"',
  '\\',
]) {
  test(`the account fields ${JSON.stringify(text)} are refused`, {
    rules: ['facade.dimensions-phone-is-400', 'facade.field-modifiers-are-an-allowlist'],
  }, () => {
    assert.throws(() => parseAccountFields(text), INVALID_FIELD_MODIFIER)
  })
}

test('parentheses and braces nest, and quotes escape both', () => {
  assert.deepEqual(parseFields('a.b(c(d)e).f("(")'), [
    {
      name: 'a',
      modifiers: [
        { name: 'b', argument: 'c(d)e' },
        { name: 'f', argument: '"("' },
      ],
      hasInner: false,
    },
  ])
  assert.deepEqual(
    parseFields('a.b("\\")"){c{d},e},f').map(({ name, hasInner }) => [name, hasInner]),
    [
      ['a', true],
      ['f', false],
    ],
  )
})

test('account fields: only six names and five modifiers are forwarded, and never PHONE', {
  rules: ['facade.account-fields-are-an-allowlist', 'facade.field-modifiers-are-an-allowlist'],
}, () => {
  const name = fc.constantFrom(
    'id',
    'name',
    'pricing_analytics',
    'phone_numbers',
    'start',
    'dimensions',
    'PHONE',
    'COUNTRY',
    'limit',
    '1',
  )
  const mark = fc.constantFrom('.', ',', '(', ')', '[', ']', '{', '}', '"', ' ', "'", '\\', '\n')
  const expression = fc.array(fc.oneof(name, mark), { maxLength: 14 }).map((pieces) => pieces.join(''))
  const sensible = fc
    .tuple(fc.constantFrom('start', 'dimensions', 'metric_types', 'as'), expression)
    .map(([name, argument]) => `pricing_analytics.${name}(${argument})`)
  const taken =
    /^(id|name|currency|timezone_id|account_review_status|pricing_analytics(\.(start|end|granularity|dimensions|metric_types)\([A-Z0-9_,[\]]*\))*)$/
  let passed = 0

  fc.assert(
    fc.property(fc.oneof(expression, sensible), (text) => {
      let forwarded: string
      try {
        forwarded = parseAccountFields(text)
      } catch (err) {
        assert.equal((err as { code?: string }).code, 'INVALID_FIELD_MODIFIER')
        return
      }
      passed += 1
      assert.ok(!/PHONE/i.test(forwarded), forwarded)
      for (const field of forwarded.split(/,(?![^(]*\))/)) assert.match(field, taken)
    }),
    { numRuns: 5000 },
  )
  assert.ok(passed > 50, `only ${passed} lists were valid`)
})

const KNOWN = ['id', 'name', 'status']

for (const [text, forwarded] of [
  [undefined, undefined],
  ['', undefined],
  ['id', 'id'],
  ['id, name', 'id,name'],
] as const) {
  test(`the plain fields ${JSON.stringify(text)} are forwarded as ${forwarded}`, () => {
    assert.equal(parsePlainFields(text, KNOWN), forwarded)
  })
}

for (const text of ['secret', 'id,secret', 'ID', 'id,,name', 'id name', 'constructor']) {
  test(`the plain fields ${text} with an unknown name are INVALID_REQUEST`, () => {
    assert.throws(() => parsePlainFields(text, KNOWN), { code: 'INVALID_REQUEST' })
  })
}

for (const text of ['name{id}', 'name.limit(1)', 'secret{id}', 'id,name.as(x)', '(id)', 'id[0]']) {
  test(`the plain fields ${text} with braces or a modifier are INVALID_FIELD_MODIFIER`, () => {
    assert.throws(() => parsePlainFields(text, KNOWN), INVALID_FIELD_MODIFIER)
  })
}
