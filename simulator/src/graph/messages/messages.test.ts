import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, readWamid, startFixture } from '../../test/harness.ts'

const BODY = { text: 'Escolha' }
const reply = (id: string, title = id) => ({ type: 'reply', reply: { id, title } })
const buttons = (...ids: string[]) => ({ type: 'button', body: BODY, action: { buttons: ids.map((id) => reply(id)) } })
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, title: `Row ${index}` }))
const list = (count: number, extra = {}) => ({
  type: 'list',
  body: BODY,
  action: { button: 'Ver', sections: [{ title: 'Tudo', rows: rows(count) }] },
  ...extra,
})
const contact = { name: { formatted_name: 'Ana Souza', first_name: 'Ana' }, phones: [{ phone: '+5511988880001' }] }

const ACCEPTED: [what: string, message: Record<string, unknown>][] = [
  ['text', { type: 'text', text: { body: 'a'.repeat(4096), preview_url: true } }],
  ['a message without a type, which is text', { text: { body: 'oi' } }],
  ['image by link', { type: 'image', image: { link: 'https://example.com/a.png', caption: 'x' } }],
  ['video by link', { type: 'video', video: { link: 'https://example.com/a.mp4' } }],
  ['audio by link', { type: 'audio', audio: { link: 'https://example.com/a.ogg', voice: true } }],
  ['document by link', { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } }],
  ['sticker by link', { type: 'sticker', sticker: { link: 'https://example.com/a.webp' } }],
  ['location with numbers', { type: 'location', location: { latitude: -23.5, longitude: -46.6 } }],
  ['location with strings', { type: 'location', location: { latitude: '-23.5', longitude: '-46.6', name: 'Sé' } }],
  ['257 contacts', { type: 'contacts', contacts: Array(257).fill(contact) }],
  ['reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }],
  ['removed reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '' } }],
  ['three buttons', { type: 'interactive', interactive: buttons('a', 'b', 'c') }],
  ['list of ten rows', { type: 'interactive', interactive: list(10) }],
  ['unknown interactive type', { type: 'interactive', interactive: { type: 'order_details', anything: true } }],
  ['number with punctuation', { to: '+55 (11) 99999-0000', text: { body: 'oi' } }],
]

test('accepts every type of message with a message id', async (t) => {
  const fixture = await startFixture(t)

  for (const [what, message] of ACCEPTED) {
    const { status, body } = await fixture.send(message)
    assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`)
    assert.match(JSON.stringify(body), /"id":"wamid\.[A-Za-z0-9+/=]+"/, what)
  }
})

const text = { text: { body: 'oi' } }
const REFUSED: [what: string, message: Record<string, unknown>, code: number, expected: RegExp][] = [
  [
    'no product',
    { messaging_product: undefined, ...text },
    100,
    /^\(#100\) The parameter messaging_product is required\.$/,
  ],
  ['other product', { messaging_product: 'sms', ...text }, 100, /messaging_product must be one of \{whatsapp\}/],
  ['no recipient', { to: undefined, ...text }, 100, /^\(#100\) The parameter to is required\.$/],
  ['malformed number', { to: 'abc', ...text }, 131009, /The phone number is malformed/],
  ['malformed user id', { to: undefined, recipient: 'someone', ...text }, 131009, /user id is malformed/],
  ['type of every object', { type: 'constructor' }, 100, /Param type must be one of .* - got "constructor"/],
  ['type of no object', { type: '__proto__' }, 100, /Param type must be one of/],
  ['unknown type', { type: 'poll', poll: {} }, 100, /Param type must be one of \{TEXT,.*TEMPLATE\} - got "poll"/],
  ['type without its object', { type: 'text' }, 100, /^\(#100\) The parameter text is required\.$/],
  ['text that is no object', { text: 'oi' }, 100, /Param text must be a JSON object/],
  ['empty text', { text: { body: '' } }, 100, /The parameter text\['body'\] is required/],
  ['text too long', { text: { body: 'a'.repeat(4097) } }, 100, /at most 4096 characters/],
  ['unexpected key', { text: { body: 'oi', bold: true } }, 100, /Unexpected key "bold" on param "text"/],
  ['media with neither id nor link', { type: 'image', image: {} }, 100, /image\['id'\] is required/],
  ['media with both', { type: 'image', image: { id: '1', link: 'https://a.b/c' } }, 100, /exactly one of id and link/],
  [
    'unknown media id',
    { type: 'image', image: { id: '1' } },
    100,
    /image\['id'\] is not a valid whatsapp business account media/,
  ],
  ['link that is no URL', { type: 'image', image: { link: 'a.png' } }, 100, /is not a valid URI/],
  [
    'caption too long',
    { type: 'image', image: { link: 'https://a.b/c', caption: 'a'.repeat(1025) } },
    100,
    /at most 1024/,
  ],
  [
    'caption on audio',
    { type: 'audio', audio: { link: 'https://a.b/c', caption: 'x' } },
    100,
    /Unexpected key "caption"/,
  ],
  [
    'location without longitude',
    { type: 'location', location: { latitude: 1 } },
    100,
    /location\['longitude'\] is required/,
  ],
  [
    'latitude out of range',
    { type: 'location', location: { latitude: 91, longitude: 0 } },
    131009,
    /between -90 and 90/,
  ],
  ['258 contacts', { type: 'contacts', contacts: Array(258).fill(contact) }, 131009, /Max allowed contacts: 257/],
  [
    'reaction without emoji',
    { type: 'reaction', reaction: { message_id: 'x' } },
    100,
    /reaction\['emoji'\] is required/,
  ],
  ['contact born in words', { type: 'contacts', contacts: [{ ...contact, birthday: 'May' }] }, 131009, /YYYY-MM-DD/],
  ['contact with one phone', { type: 'contacts', contacts: [{ ...contact, phones: {} }] }, 100, /must be an array/],
  ['contacts that are no list', { type: 'contacts', contacts: {} }, 100, /Param contacts must be an array/],
  ['contact that is no object', { type: 'contacts', contacts: ['Ana'] }, 100, /contacts\[0\] must be a JSON object/],
  ['contacts missing', { type: 'contacts' }, 100, /The parameter contacts is required/],
  ['text body that is a number', { text: { body: 5 } }, 100, /text\['body'\] must be a string/],
  ['no contacts', { type: 'contacts', contacts: [] }, 131009, /Invalid contacts count/],
  ['contact without a name', { type: 'contacts', contacts: [{}] }, 100, /contacts\[0\]\['name'\] is required/],
  [
    'contact with formatted name only',
    { type: 'contacts', contacts: [{ name: { formatted_name: 'A' } }] },
    131009,
    /name parts/,
  ],
  [
    'reaction without a target',
    { type: 'reaction', reaction: { emoji: 'x' } },
    100,
    /reaction\['message_id'\] is required/,
  ],
  [
    'four buttons',
    { type: 'interactive', interactive: buttons('a', 'b', 'c', 'd') },
    131009,
    /^Invalid buttons count\. Min allowed buttons: 1, Max allowed buttons: 3$/,
  ],
  ['buttons with one id', { type: 'interactive', interactive: buttons('a', 'a') }, 131009, /Button ids must be unique/],
  [
    'long button title',
    { type: 'interactive', interactive: buttons('a'.repeat(21)) },
    131009,
    /Button title length invalid/,
  ],
  [
    'interactive without body',
    { type: 'interactive', interactive: { ...buttons('a'), body: undefined } },
    100,
    /interactive\['body'\]\['text'\] is required/,
  ],
  [
    'interactive body too long',
    { type: 'interactive', interactive: { ...buttons('a'), body: { text: 'a'.repeat(1025) } } },
    131009,
    /^Body text length invalid\. Min length: 1, Max length: 1024$/,
  ],
  [
    'footer too long',
    { type: 'interactive', interactive: { ...buttons('a'), footer: { text: 'a'.repeat(61) } } },
    131009,
    /Footer text length/,
  ],
  ['eleven rows', { type: 'interactive', interactive: list(11) }, 131009, /Invalid rows count/],
  [
    'image header on a list',
    { type: 'interactive', interactive: list(1, { header: { type: 'image', image: { link: 'https://a.b/c' } } }) },
    131009,
    /header of type image/,
  ],
  [
    'flow without a flow',
    {
      type: 'interactive',
      interactive: {
        type: 'flow',
        body: BODY,
        action: { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Abrir' } },
      },
    },
    100,
    /flow_id/,
  ],
  [
    'callback data too long',
    { ...text, biz_opaque_callback_data: 'a'.repeat(513) },
    100,
    /biz_opaque_callback_data must be at most 512/,
  ],
  ['unknown type of recipient', { ...text, recipient_type: 'list' }, 100, /recipient_type must be one of/],
  ['unknown group', { ...text, to: 'group', recipient_type: 'group' }, 131009, /in no group with this id/],
  ['itself', { to: '5511987654321', ...text }, 131021, /Recipient cannot be sender|itself/],
]

test("an invalid message is refused with the platform's code and message", async (t) => {
  const fixture = await startFixture(t)

  for (const [what, message, code, expected] of REFUSED) {
    const { status, body } = await fixture.send(message)
    assert.equal(status, 400, what)
    assert.equal(body.error.code, code, `${what}: ${JSON.stringify(body)}`)
    assert.match(body.error.error_data?.details ?? body.error.message, expected, what)
  }
})

test('malformed JSON and a missing content type count as no parameters', async (t) => {
  const fixture = await startFixture(t)
  const post = (body: string, type: string) =>
    fetch(`${fixture.simulator.url}/${fixture.phoneId}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.token}`, 'content-type': type },
      body,
    }).then((response) => response.json() as Promise<Reply['body']>)

  assert.match((await post('{"messaging_product":', 'application/json')).error.message, /messaging_product is required/)
  const good = '{"messaging_product":"whatsapp","to":"5511999990000","text":{"body":"oi"}}'
  assert.match((await post(good, 'text/plain')).error.message, /messaging_product is required/)
  const form = 'messaging_product=whatsapp&to=5511999990000&text=%7B%22body%22%3A%22oi%22%7D'
  assert.ok((await post(form, 'application/x-www-form-urlencoded')).messages)
})

test('the response has the number as it was sent and its wa_id', async (t) => {
  const fixture = await startFixture(t)

  const contacts = async (to: string) =>
    (await fixture.send({ to, ...text })).body as unknown as { contacts: [{ input: string; wa_id: string }] }

  const brazil = (await contacts('+55 63 98462-2450')).contacts[0]
  assert.deepEqual(brazil, { input: '+55 63 98462-2450', wa_id: '556384622450' })
  assert.equal((await contacts('5511999990000')).contacts[0].wa_id, '5511999990000')
  assert.equal((await contacts('525512345678')).contacts[0].wa_id, '5215512345678')
})

test('sends to a user id, except authentication templates', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const userId = await fixture.readUserId()

  const { body } = await fixture.send({ to: undefined, recipient: userId, ...text })

  assert.match(userId, /^BR\.\d+$/)
  assert.deepEqual((body as unknown as { contacts: object[] }).contacts, [{ input: userId, user_id: userId }])
})

test('null members count as absent, and contacts may be a text of JSON', async (t) => {
  const fixture = await startFixture(t)
  const person = { name: { formatted_name: 'Ana', first_name: 'Ana', prefix: null }, birthday: null }

  const image = await fixture.send({
    type: 'image',
    image: { link: 'https://cdn.example/a.jpg', caption: null, id: null },
  })
  const contacts = await fixture.send({ to: '5511999990001', type: 'contacts', contacts: JSON.stringify([person]) })
  const nothing = await fixture.send({ to: '5511999990002', type: 'image', image: null })

  assert.deepEqual([image.status, contacts.status, nothing.status], [200, 200, 400])
})

test('a number that is not registered cannot send', async (t) => {
  const fixture = await startFixture(t)
  await fixture.graph('POST', `/${fixture.phoneId}/deregister`)

  const { status, body } = await fixture.send(text)

  assert.equal(status, 400)
  assert.equal(body.error.code, 133010)
  assert.equal(body.error.message, '(#133010) Account not registered')
})

test('a locked account cannot send', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event: 'ban' })
  const locked = await fixture.send(text)
  assert.equal(locked.status, 403)
  assert.equal(locked.body.error.code, 131031)
})

test('a read receipt is accepted for a received message and refused for any other', async (t) => {
  const fixture = await startFixture(t)
  const { message_id: received } = await fixture.receive()
  const sent = readWamid(await fixture.send(text))
  const read = (message_id: string, extra = {}) => fixture.send({ to: undefined, status: 'read', message_id, ...extra })

  const good = await read(received, { typing_indicator: { type: 'text' } })

  assert.deepEqual(good.body, { success: true })
  assert.equal((await read(sent)).body.error.code, 131009)
  assert.equal((await read('wamid.unknown')).body.error.code, 131009)
  assert.equal((await read(received, { typing_indicator: { type: 'voice' } })).body.error.code, 100)
})
