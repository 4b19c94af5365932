import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFixture } from '../../test/harness.ts'

type Interactive = Record<string, unknown>

const BODY = { text: 'Escolha' }
const FLOW = { flow_message_version: '3', flow_id: '1', flow_cta: 'Abrir' }
const LINK = 'https://example.com/a'

const row = (id: string, extra = {}) => ({ id, title: `Row ${id}`, ...extra })
const list = (...sections: object[]): Interactive => ({ type: 'list', body: BODY, action: { button: 'Ver', sections } })
const buttons = (...list: object[]): Interactive => ({ type: 'button', body: BODY, action: { buttons: list } })
const button = { type: 'reply', reply: { id: 'a', title: 'a' } }
const headed = (header: object): Interactive => ({ ...buttons(button), header })
const named = (type: string, name: string, parameters?: object): Interactive => {
  return { type, body: BODY, action: { name, parameters } }
}
const link = (url: string) => named('cta_url', 'cta_url', { display_text: 'Abrir', url })
const TITLE = { type: 'text', text: 'Pães' }

const ACCEPTED: [what: string, interactive: Interactive][] = [
  ['link button', link(LINK)],
  ['location request', named('location_request_message', 'send_location')],
  ['flow', named('flow', 'flow', FLOW)],
  ['type that is not checked', { type: 'carousel' }],
  [
    'call permission without a body',
    { ...named('call_permission_request', 'call_permission_request'), body: undefined },
  ],
  ['image header', headed({ type: 'image', image: { link: LINK } })],
  ['video header', headed({ type: 'video', video: { link: LINK } })],
  ['document header', headed({ type: 'document', document: { link: LINK, filename: 'a.pdf' } })],
  ['one section without a title', list({ rows: [row('1', { description: 'a'.repeat(72) })] })],
]

test('accepts every documented interactive type', async (t) => {
  const fixture = await startFixture(t)

  for (const [what, interactive] of ACCEPTED) {
    const { status, body } = await fixture.send({ type: 'interactive', interactive })
    assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`)
  }
})

const REFUSED: [what: string, interactive: Interactive, code: number, expected: RegExp][] = [
  ['no type', { body: BODY }, 100, /interactive\['type'\] is required/],
  ['no action', { type: 'button', body: BODY }, 100, /interactive\['action'\] is required/],
  ['link to nowhere', link('nowhere'), 131009, /not a URL/],
  ['link by another name', named('cta_url', 'x'), 100, /must be one of \{cta_url\}/],
  ['body without text', { ...buttons(button), body: {} }, 100, /interactive\['body'\]\['text'\] is required/],
  ['location request by another name', named('location_request_message', 'x'), 100, /\{send_location\}/],
  ['call permission by another name', named('call_permission_request', 'x'), 100, /\{call_permission_request\}/],
  ['flow without a flow', named('flow', 'flow', { ...FLOW, flow_id: undefined }), 100, /\['flow_id'\] is required/],
  ['flow with a long button', named('flow', 'flow', { ...FLOW, flow_cta: 'a'.repeat(31) }), 131009, /Flow button/],
  [
    'header image without a file',
    headed({ type: 'image', image: {} }),
    100,
    /\['header'\]\['image'\]\['id'\] is required/,
  ],
  [
    'unknown header document',
    headed({ type: 'document', document: { id: '1' } }),
    100,
    /not a valid whatsapp business/,
  ],
  ['header of an unknown type', headed({ type: 'audio' }), 131009, /header of type audio/],
  ['long header', headed({ type: 'text', text: 'a'.repeat(61) }), 131009, /Header text length/],
  [
    'header on a location request',
    { ...named('location_request_message', 'send_location'), header: TITLE },
    131009,
    /header/,
  ],
  ['button of another type', buttons({ type: 'url' }), 100, /must be one of \{reply\}/],
  [
    'long button id',
    buttons({ type: 'reply', reply: { id: 'a'.repeat(257), title: 'a' } }),
    131009,
    /Button id length/,
  ],
  [
    'one title twice',
    buttons(button, { type: 'reply', reply: { id: 'b', title: 'a' } }),
    131009,
    /titles must be unique/,
  ],
  ['list without sections', list(), 131009, /Invalid sections count/],
  ['untitled section of two', list({ rows: [row('1')] }, { rows: [row('2')] }), 100, /\['title'\] is required/],
  ['long section title', list({ title: 'a'.repeat(25), rows: [row('1')] }), 131009, /Section title length/],
  ['one row id twice', list({ rows: [row('1'), row('1')] }), 131009, /Row ids must be unique/],
  ['long row id', list({ rows: [row('a'.repeat(201), { title: 'a' })] }), 131009, /Row id length/],
  ['long row title', list({ rows: [row('1', { title: 'a'.repeat(25) })] }), 131009, /Row title length/],
  [
    'long row description',
    list({ rows: [row('1', { description: 'a'.repeat(73) })] }),
    131009,
    /Row description length/,
  ],
]

test("an interactive message outside its limits is refused with the platform's code and message", async (t) => {
  const fixture = await startFixture(t)

  for (const [what, interactive, code, expected] of REFUSED) {
    const { status, body } = await fixture.send({ type: 'interactive', interactive })
    assert.equal(status, 400, what)
    assert.equal(body.error.code, code, `${what}: ${JSON.stringify(body)}`)
    assert.match(body.error.error_data?.details ?? body.error.message, expected, what)
  }
})
