import type { Issue } from '../../../kernel/errors.ts'
import { cards, linkAction } from './carousel.ts'
import { byType, exactlyOneOf, listOf, oneOfTypes, open, ruled, tagged } from './composites.ts'
import { file, namedFile } from './media.ts'
import { productSections, rowSections } from './sections.ts'
import { absent, anyObject, choice, filledObject, integer, issueAt, matching, text } from './shape.ts'

const BODY_LENGTH_MAX = 1024
const LIST_BODY_LENGTH_MAX = 4096
const TTL_MINUTES_MAX = 30 * 24 * 60

const body = open({ text: text({ max: BODY_LENGTH_MAX }) }, {})
const listBody = open({ text: text({ max: LIST_BODY_LENGTH_MAX }) }, {})
const footer = open({ text: text({ max: 60 }) }, {})

const title = tagged('text', { text: text({ max: 60 }) }, {})
const textHeader = oneOfTypes(title)
const header = oneOfTypes(
  title,
  tagged('image', { image: file }, {}),
  tagged('video', { video: file }, {}),
  tagged('document', { document: namedFile }, {}),
)

const replyButton = open(
  { type: choice('reply'), reply: open({ id: text({ max: 256 }), title: text({ max: 20 }) }, {}) },
  {},
)
const replyButtons = ruled(listOf(replyButton, { min: 1, max: 3 }), (buttons, path) => [
  ...repeated(buttons, 'id', path),
  ...repeated(buttons, 'title', path),
])

const flowParameters = ruled(
  open(
    { flow_message_version: choice('3'), flow_cta: text({ max: 30 }) },
    {
      flow_id: text(),
      flow_name: text(),
      mode: choice('draft', 'published'),
      flow_token: text({ min: 0 }),
      flow_action: choice('navigate', 'data_exchange'),
      flow_action_payload: open({ screen: text() }, { data: filledObject }),
    },
  ),
  exactlyOneOf('flow_id', 'flow_name'),
)

const callParameters = open(
  {},
  {
    display_text: text({ max: 20 }),
    ttl_minutes: integer({ min: 1, max: TTL_MINUTES_MAX }),
    payload: text({ min: 0, max: 512 }),
  },
)

const addressParameters = open(
  { country: matching('^[A-Z]{2}$') },
  { values: anyObject, saved_addresses: listOf(anyObject), validation_errors: anyObject },
)

const thumbnail = open({}, { thumbnail_product_retailer_id: text() })
const product = open({ catalog_id: text(), product_retailer_id: text() }, {})
const products = open({ catalog_id: text(), sections: productSections }, {})
const callPermission = open({ name: choice('call_permission_request') }, {})
const address = open({ name: choice('address_message'), parameters: addressParameters }, {})

const framed = { header, footer }
const unframed = { header: absent, footer: absent }

export const interactive = byType(
  [
    tagged('button', { body, action: open({ buttons: replyButtons }, {}) }, framed),
    tagged(
      'list',
      { body: listBody, action: open({ button: text({ max: 20 }), sections: rowSections }, {}) },
      { header: textHeader, footer },
    ),
    tagged('cta_url', { body, action: linkAction }, framed),
    tagged('location_request_message', { body, action: open({ name: choice('send_location') }, {}) }, unframed),
    tagged('flow', { body, action: open({ name: choice('flow'), parameters: flowParameters }, {}) }, framed),
    tagged('product', { action: product }, { header: absent, body, footer }),
    tagged('product_list', { header: textHeader, body, action: products }, { footer }),
    tagged(
      'catalog_message',
      { body, action: open({ name: choice('catalog_message') }, { parameters: thumbnail }) },
      framed,
    ),
    tagged('carousel', { body, action: open({ cards }, {}) }, unframed),
    tagged('call_permission_request', { action: callPermission }, { ...framed, body }),
    tagged(
      'voice_call',
      { body, action: open({ name: choice('voice_call') }, { parameters: callParameters }) },
      framed,
    ),
    tagged('address_message', { body, action: address }, framed),
  ],
  'A message of a type that is not listed is passed on as it is.',
)

/** A tap on one of two equal buttons could not be told from a tap on the other. */
function repeated(buttons: { reply: { id: string; title: string } }[], name: 'id' | 'title', path: string): Issue[] {
  const values = buttons.map(({ reply }) => reply[name])
  return values.flatMap((value, index) =>
    values.indexOf(value) < index
      ? issueAt(`${path}/${index}/reply/${name}`, 'must differ from that of every other button')
      : [],
  )
}
