import { test } from 'node:test'
import { changed, GONE } from './test/change.ts'
import { EXAMPLES, type ExampleName } from './test/examples.ts'
import {
  assertAccepted,
  assertRefused,
  testAcceptances,
  testCounts,
  testLengths,
  testNumbers,
  testRefusals,
  testRequired,
} from './test/tables.ts'

const ACTION = '/interactive/action'
const FORMS = [
  'button',
  'list',
  'cta_url',
  'location_request',
  'flow',
  'product',
  'product_list',
  'catalog_message',
  'carousel',
  'call_permission',
  'voice_call',
  'address_message',
] as const

const TEXT = { type: 'text', text: 'Pães' }
const MEDIA = [
  { type: 'image', image: { id: '1' } },
  { type: 'video', video: { id: '1' } },
  { type: 'document', document: { id: '1', filename: 'a.pdf' } },
]

const HEADERS: Record<(typeof FORMS)[number], 'any' | 'text' | 'none'> = {
  button: 'any',
  list: 'text',
  cta_url: 'any',
  location_request: 'none',
  flow: 'any',
  product: 'none',
  product_list: 'text',
  catalog_message: 'any',
  carousel: 'none',
  call_permission: 'any',
  voice_call: 'any',
  address_message: 'any',
}

test('each interactive type accepts only its own kinds of header', async () => {
  for (const form of FORMS) {
    const withHeader = (header: unknown) => changed(EXAMPLES[form], '/interactive/header', header)
    const kinds = HEADERS[form]
    if (kinds === 'none') await assertRefused(withHeader(TEXT), '/interactive/header', form)
    else await assertAccepted(withHeader(TEXT), form)
    for (const media of MEDIA) {
      const place = kinds === 'none' ? '/interactive/header' : '/interactive/header/type'
      if (kinds === 'any') await assertAccepted(withHeader(media), `${form} under ${media.type}`)
      else await assertRefused(withHeader(media), place, `${form} under ${media.type}`)
    }
  }
})

test('a header has a known type and the member that its type names', async () => {
  const withHeader = (header: unknown) => changed(EXAMPLES.button, '/interactive/header', header)

  for (const type of ['audio', 'TEXT', '', 7]) {
    await assertRefused(withHeader({ ...TEXT, type }), '/interactive/header/type', String(type))
  }
  for (const { type } of [TEXT, ...MEDIA]) {
    await assertRefused(withHeader({ type }), `/interactive/header/${type}`, type)
  }
  await assertRefused(withHeader('Pães'), '/interactive/header', 'text')
})

test('every interactive type accepts a footer, except those without one', async () => {
  for (const form of FORMS) {
    const body = changed(EXAMPLES[form], '/interactive/footer', { text: 'Padaria Sol' })
    if (['location_request', 'carousel'].includes(form)) await assertRefused(body, '/interactive/footer', form)
    else await assertAccepted(body, form)
  }
})

test('every interactive type needs a body and an action, except that products and call requests need no body', {
  rules: ['send.invalid-body-is-400'],
}, async () => {
  for (const form of FORMS) {
    const withoutBody = changed(EXAMPLES[form], '/interactive/body', GONE)
    if (['product', 'call_permission'].includes(form)) await assertAccepted(withoutBody, form)
    else await assertRefused(withoutBody, '/interactive/body', form)
    await assertRefused(changed(EXAMPLES[form], '/interactive/body', {}), '/interactive/body/text', form)
    await assertRefused(changed(EXAMPLES[form], ACTION, GONE), ACTION, form)
    await assertRefused(changed(EXAMPLES[form], ACTION, []), ACTION, form)
  }
})

testRequired('an interactive message', [
  ['button', '/interactive/type'],
  ['button', '/interactive/footer/text'],
  ['button', `${ACTION}/buttons`],
  ['button', `${ACTION}/buttons/1/type`],
  ['button', `${ACTION}/buttons/1/reply`],
  ['button', `${ACTION}/buttons/1/reply/id`],
  ['button', `${ACTION}/buttons/1/reply/title`],
  ['cta_url', `${ACTION}/name`],
  ['cta_url', `${ACTION}/parameters`],
  ['cta_url', `${ACTION}/parameters/display_text`],
  ['cta_url', `${ACTION}/parameters/url`],
  ['location_request', `${ACTION}/name`],
  ['flow', `${ACTION}/name`],
  ['flow', `${ACTION}/parameters`],
  ['flow', `${ACTION}/parameters/flow_message_version`],
  ['flow', `${ACTION}/parameters/flow_cta`],
  ['flow', `${ACTION}/parameters/flow_action_payload/screen`],
  ['product', `${ACTION}/catalog_id`],
  ['product', `${ACTION}/product_retailer_id`],
  ['product_list', '/interactive/header'],
  ['product_list', `${ACTION}/catalog_id`],
  ['product_list', `${ACTION}/sections`],
  ['catalog_message', `${ACTION}/name`],
  ['carousel', `${ACTION}/cards`],
  ['call_permission', `${ACTION}/name`],
  ['voice_call', `${ACTION}/name`],
  ['address_message', `${ACTION}/name`],
  ['address_message', `${ACTION}/parameters`],
  ['address_message', `${ACTION}/parameters/country`],
])

testLengths('an interactive message', [
  ...FORMS.map((form): [ExampleName, string, number, number] => [
    form,
    '/interactive/body/text',
    1,
    form === 'list' ? 4096 : 1024,
  ]),
  ['button', '/interactive/header/text', 1, 60],
  ['button', '/interactive/footer/text', 1, 60],
  ['button', `${ACTION}/buttons/0/reply/id`, 1, 256],
  ['button', `${ACTION}/buttons/0/reply/title`, 1, 20],
  ['cta_url', `${ACTION}/parameters/display_text`, 1, 20],
  ['flow', `${ACTION}/parameters/flow_cta`, 1, 30],
  ['voice_call', `${ACTION}/parameters/display_text`, 1, 20],
  ['voice_call', `${ACTION}/parameters/payload`, 0, 512],
])

testNumbers('a call', [['voice_call', `${ACTION}/parameters/ttl_minutes`, 1, 43_200]])

testCounts('a message of buttons', [
  ['button', `${ACTION}/buttons`, 1, 3, (index) => ({ type: 'reply', reply: { id: `${index}`, title: `${index}` } })],
])

testRefusals('a second button with the id or the title of another', [
  ['button', `${ACTION}/buttons/2/reply/id`, 'a'],
  ['button', `${ACTION}/buttons/2/reply/title`, 'Opção a'],
])

testAcceptances('a flow with an empty token', [['flow', `${ACTION}/parameters/flow_token`, '']])

testRefusals('a flow with two names, none, or a first screen without data', [
  ['flow', `${ACTION}/parameters/flow_name`, 'agenda', `${ACTION}/parameters`],
  ['flow', `${ACTION}/parameters/flow_id`, GONE, `${ACTION}/parameters`],
  ['flow by name', `${ACTION}/parameters/flow_name`, GONE, `${ACTION}/parameters`],
  ['flow', `${ACTION}/parameters/flow_action_payload/data`, {}],
])

testRefusals('a member of an interactive message that is of another kind', [
  ['button', '/interactive/type', ''],
  ['button', '/interactive/type', 7],
  ['button', `${ACTION}/buttons/0/type`, 'url'],
  ['button', `${ACTION}/buttons/0`, 'a'],
  ['button', '/interactive/footer', 'x'],
  ['cta_url', `${ACTION}/name`, 'url'],
  ['location_request', `${ACTION}/name`, 'location'],
  ['flow', `${ACTION}/name`, 'Flow'],
  ['flow', `${ACTION}/parameters/flow_message_version`, '2'],
  ['flow', `${ACTION}/parameters/flow_message_version`, 3],
  ['flow', `${ACTION}/parameters/flow_id`, ''],
  ['flow', `${ACTION}/parameters/flow_id`, 1],
  ['flow by name', `${ACTION}/parameters/flow_name`, ''],
  ['flow', `${ACTION}/parameters/mode`, 'test'],
  ['flow', `${ACTION}/parameters/flow_token`, 1],
  ['flow', `${ACTION}/parameters/flow_action`, 'open'],
  ['flow', `${ACTION}/parameters/flow_action_payload`, []],
  ['flow', `${ACTION}/parameters/flow_action_payload/screen`, ''],
  ['flow', `${ACTION}/parameters/flow_action_payload/data`, 'x'],
  ['product', `${ACTION}/catalog_id`, ''],
  ['product', `${ACTION}/product_retailer_id`, ''],
  ['catalog_message', `${ACTION}/name`, 'catalog'],
  ['catalog_message', `${ACTION}/parameters`, 'p'],
  ['catalog_message', `${ACTION}/parameters/thumbnail_product_retailer_id`, ''],
  ['call_permission', `${ACTION}/name`, 'call'],
  ['voice_call', `${ACTION}/name`, 'call'],
  ['voice_call', `${ACTION}/parameters`, []],
  ['voice_call', `${ACTION}/parameters/ttl_minutes`, '60'],
  ['voice_call', `${ACTION}/parameters/ttl_minutes`, 1.5],
  ['address_message', `${ACTION}/name`, 'address'],
  ['address_message', `${ACTION}/parameters/country`, 'in'],
  ['address_message', `${ACTION}/parameters/country`, 'IND'],
  ['address_message', `${ACTION}/parameters/values`, []],
  ['address_message', `${ACTION}/parameters/saved_addresses`, {}],
  ['address_message', `${ACTION}/parameters/saved_addresses/0`, '1'],
  ['address_message', `${ACTION}/parameters/validation_errors`, 'x'],
])
