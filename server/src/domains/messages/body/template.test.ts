import { test } from 'node:test'
import { changed, GONE } from './test/change.ts'
import { EXAMPLES } from './test/examples.ts'
import {
  assertAccepted,
  assertRefused,
  testAcceptances,
  testCounts,
  testRefusals,
  testRequired,
} from './test/tables.ts'

const COMPONENT = '/template/components/0'
const PARAMETER = `${COMPONENT}/parameters/0`
const CARD = `${COMPONENT}/cards/0`

test('a template name is 1 to 512 lowercase letters, digits and underscores', {
  rules: ['send.invalid-body-is-400'],
}, async () => {
  for (const name of ['a', '0', '_', 'x'.repeat(512)]) {
    await assertAccepted(changed(EXAMPLES.template, '/template/name', name), name)
  }
  for (const name of ['', 'x'.repeat(513), 'Hello', 'a b', 'a-b', 'ação', 'a\n', 7, null]) {
    await assertRefused(changed(EXAMPLES.template, '/template/name', name), '/template/name', String(name))
  }
})

test('a language is a code of two or three letters with an optional region', async () => {
  const place = '/template/language/code'

  for (const code of ['en', 'fil', 'pt_BR', 'zh-CN', 'es_419', 'en_GHA']) {
    await assertAccepted(changed(EXAMPLES.template, place, code), code)
  }
  for (const code of ['', 'e', 'english', 'pt_', 'pt_B', 'pt_BRASIL', 'pt BR', 7, null]) {
    await assertRefused(changed(EXAMPLES.template, place, code), place, String(code))
  }
})

test('a button index is a digit, as a number or as text', async () => {
  const place = `${COMPONENT}/index`

  for (const index of ['0', '9', 0, 9, GONE]) {
    await assertAccepted(changed(EXAMPLES['template with a coupon'], place, index), String(index))
  }
  for (const index of ['', '10', '-1', ' 1', '1.0', 10, -1, 0.5, null, [1]]) {
    await assertRefused(changed(EXAMPLES['template with a coupon'], place, index), place, JSON.stringify(index))
  }
})

test('components, parameters and carousel cards may be empty or left out', async () => {
  await assertAccepted(changed(EXAMPLES['template with text'], '/template/components', []), 'no components')
  await assertAccepted(changed(EXAMPLES['template with text'], `${COMPONENT}/parameters`, []), 'no parameters')
  await assertAccepted(changed(EXAMPLES['template with text'], `${COMPONENT}/parameters`, GONE), 'parameters left out')
  await assertAccepted(changed(EXAMPLES['template with cards'], `${CARD}/components`, []), 'no components of a card')
})

testAcceptances('an empty text where the upstream does not ask for more', [
  ['template under a location', `${PARAMETER}/location/name`, ''],
  ['template under a location', `${PARAMETER}/location/address`, ''],
  ['template under a document', `${PARAMETER}/document/filename`, ''],
  ['template with a flow', `${PARAMETER}/action/flow_token`, ''],
])

testCounts('a template', [
  [
    'template with cards',
    `${COMPONENT}/cards`,
    1,
    10,
    (card_index) => ({ card_index: card_index % 10, components: [] }),
  ],
])

testRequired('a template', [
  ['template', '/template/name'],
  ['template', '/template/language'],
  ['template', '/template/language/code'],
  ['template with text', `${COMPONENT}/type`],
  ['template with text', `${PARAMETER}/type`],
  ['template with text', `${PARAMETER}/text`],
  ['template with money', `${PARAMETER}/currency`],
  ['template with money', `${PARAMETER}/currency/fallback_value`],
  ['template with money', `${PARAMETER}/currency/code`],
  ['template with money', `${PARAMETER}/currency/amount_1000`],
  ['template with money', `${COMPONENT}/parameters/1/date_time`],
  ['template with money', `${COMPONENT}/parameters/1/date_time/fallback_value`],
  ['template under an image', `${PARAMETER}/image`],
  ['template under a video', `${PARAMETER}/video`],
  ['template under a document', `${PARAMETER}/document`],
  ['template under a location', `${PARAMETER}/location`],
  ['template with a quick reply', `${COMPONENT}/sub_type`],
  ['template with a quick reply', `${PARAMETER}/payload`],
  ['template with a coupon', `${PARAMETER}/coupon_code`],
  ['template with a flow', `${PARAMETER}/action`],
  ['template with cards', `${COMPONENT}/cards`],
  ['template with cards', `${CARD}/card_index`],
  ['template with cards', `${CARD}/components`],
  ['template with cards', `${CARD}/components/1/type`],
  ['template with cards', `${CARD}/components/1/parameters/0/text`],
])

testRefusals('a member of a template that is of another kind', [
  ['template', '/template/language', 'pt_BR'],
  ['template', '/template/language/policy', 'fallback'],
  ['template', '/template/language/policy', 7],
  ['template with text', '/template/components', {}],
  ['template with text', COMPONENT, 'body'],
  ['template with text', `${COMPONENT}/type`, ''],
  ['template with text', `${COMPONENT}/parameters`, {}],
  ['template with text', PARAMETER, 'Ana'],
  ['template with text', `${PARAMETER}/type`, 7],
  ['template with text', `${PARAMETER}/text`, ''],
  ['template with text', `${PARAMETER}/text`, 12],
  ['template with text', `${COMPONENT}/parameters/1/parameter_name`, ''],
  ['template with money', `${PARAMETER}/currency`, 'R$ 10'],
  ['template with money', `${PARAMETER}/currency/fallback_value`, 10],
  ['template with money', `${PARAMETER}/currency/code`, ''],
  ['template with money', `${PARAMETER}/currency/amount_1000`, '10000'],
  ['template with money', `${PARAMETER}/currency/amount_1000`, 0.5],
  ['template with a quick reply', `${COMPONENT}/sub_type`, 7],
  ['template with a quick reply', `${PARAMETER}/payload`, {}],
  ['template with a coupon', `${PARAMETER}/coupon_code`, ''],
  ['template with a flow', `${PARAMETER}/action/flow_token`, 7],
  ['template with a flow', `${PARAMETER}/action/flow_action_data`, 'x'],
  ['template with a catalog', `${PARAMETER}/action/thumbnail_product_retailer_id`, ''],
  ['template with products', `${PARAMETER}/action/sections`, {}],
  ['template with products', `${PARAMETER}/action/sections/0`, 'A'],
  ['template with an offer', `${PARAMETER}/type`, ''],
  ['template with cards', `${CARD}`, 'a'],
  ['template with cards', `${CARD}/card_index`, 10],
  ['template with cards', `${CARD}/card_index`, -1],
  ['template with cards', `${CARD}/card_index`, '0'],
  ['template with cards', `${CARD}/components`, {}],
  ['template with cards', `${CARD}/components/0/parameters/0/image`, []],
])
