import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listStatuses, startFixture } from '../../test/harness.ts'

const HOUR_MS = 3_600_000

async function benchWith(
  t: Parameters<typeof startFixture>[0],
  draft: Record<string, unknown> = {},
): Promise<{ fixture: Fixture; id: string }> {
  const fixture = await startFixture(t)
  const reply = await fixture.graph('POST', `/${fixture.wabaId}/message_templates`, {
    name: 'aviso',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Olá {{1}}, seu pedido {{2}} saiu', example: { body_text: [['Ana', '12']] } }],
    ...draft,
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  await fixture.advance(HOUR_MS)
  return { fixture, id: (reply.body as unknown as { id: string }).id }
}

const text = (value: string, extra = {}) => ({ type: 'text', text: value, ...extra })
const bodyOf = (...parameters: object[]) => [{ type: 'body', parameters }]

function sendTemplate(fixture: Fixture, components: object[], extra: Record<string, unknown> = {}) {
  return fixture.send({
    type: 'template',
    template: { name: 'aviso', language: { code: 'pt_BR' }, components, ...extra },
  })
}

test('an approved template is sent outside the window, is marked accepted and is priced', async (t) => {
  const { fixture } = await benchWith(t)

  const { body } = await sendTemplate(fixture, bodyOf(text('Ana'), text('12')))
  await fixture.advance(10_000)

  assert.equal((body as unknown as { messages: [{ message_status: string }] }).messages[0].message_status, 'accepted')
  const [sent] = listStatuses(fixture.receiver)
  assert.equal(sent?.status, 'sent')
  assert.deepEqual(sent?.pricing, { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' })
})

test('a utility template inside the window is free', async (t) => {
  const { fixture } = await benchWith(t)
  await fixture.receive()

  await sendTemplate(fixture, bodyOf(text('Ana'), text('12')))
  await fixture.advance(10_000)

  assert.equal(listStatuses(fixture.receiver)[0]?.pricing?.type, 'free_customer_service')
})

test('a template that is absent, in another language, pending or rejected is a 404 with 132001', async (t) => {
  const { fixture, id } = await benchWith(t)
  const parameters = bodyOf(text('Ana'), text('12'))

  const absent = await sendTemplate(fixture, parameters, { name: 'outro' })
  assert.equal(absent.status, 404)
  assert.equal(absent.body.error.code, 132001)
  assert.equal(absent.body.error.message, '(#132001) Template name does not exist in the translation')
  assert.equal(absent.body.error.error_data?.details, 'template name (outro) does not exist in pt_BR')
  assert.equal((await sendTemplate(fixture, parameters, { language: { code: 'en_US' } })).body.error.code, 132001)
  for (const status of ['PENDING', 'REJECTED']) {
    await fixture.control('POST', `/templates/${id}`, { status })
    assert.equal((await sendTemplate(fixture, parameters)).body.error.code, 132001)
  }
})

test('a paused template is 132015 and a disabled one 132016', async (t) => {
  const { fixture, id } = await benchWith(t)

  await fixture.control('POST', `/templates/${id}`, { status: 'PAUSED' })
  assert.equal((await sendTemplate(fixture, [])).body.error.code, 132015)
  await fixture.control('POST', `/templates/${id}`, { status: 'DISABLED' })
  assert.equal((await sendTemplate(fixture, [])).body.error.code, 132016)
})

test('a wrong number of parameters is 132000, and the message has both numbers', async (t) => {
  const { fixture } = await benchWith(t)

  const { status, body } = await sendTemplate(fixture, bodyOf(text('Ana')))

  assert.equal(status, 400)
  assert.equal(body.error.message, '(#132000) Number of parameters does not match the expected number of params')
  assert.equal(
    body.error.error_data?.details,
    'body: number of localizable_params (1) does not match the expected number of params (2)',
  )
})

test('a parameter of the wrong format is 132012, and one with a line break is 100', async (t) => {
  const { fixture } = await benchWith(t)
  const refuse = async (first: object) => (await sendTemplate(fixture, bodyOf(first, text('12')))).body.error

  assert.equal((await refuse({ type: 'image', image: { link: 'https://a.b/c' } })).code, 132012)
  for (const value of ['a\nb', 'a\tb', 'a     b']) {
    const error = await refuse(text(value))
    assert.equal(error.message, '(#100) Invalid parameter')
    assert.match(error.error_data?.details ?? '', /^Param text cannot have new-line/)
  }
})

test('a body over 1024 characters is 132005', async (t) => {
  const { fixture } = await benchWith(t)

  const { body } = await sendTemplate(fixture, bodyOf(text('a'.repeat(1_024)), text('12')))

  assert.equal(body.error.code, 132005)
})

test('the language code and the name are required, and unexpected keys refused', async (t) => {
  const { fixture } = await benchWith(t)
  const refuse = async (template: object) => (await fixture.send({ type: 'template', template })).body.error.message

  assert.equal(
    await refuse({ name: 'aviso', language: {} }),
    "(#100) The parameter template['language']['code'] is required.",
  )
  assert.match(await refuse({ language: { code: 'pt_BR' } }), /template\['name'\] is required/)
  assert.match(await refuse({ name: 'aviso', language: { code: 'pt_BR' }, lang: 1 }), /Unexpected key "lang"/)
})

test('named parameters are matched by name', async (t) => {
  const { fixture } = await benchWith(t, {
    parameter_format: 'NAMED',
    components: [
      {
        type: 'BODY',
        text: 'Olá {{nome}}, tudo?',
        example: { body_text_named_params: [{ param_name: 'nome', example: 'A' }] },
      },
    ],
  })

  assert.equal((await sendTemplate(fixture, bodyOf(text('Ana', { parameter_name: 'nome' })))).status, 200)
  const unnamed = await sendTemplate(fixture, bodyOf(text('Ana')))
  assert.equal(unnamed.body.error.error_data?.details, 'Parameter name is missing or empty')
  assert.equal((await sendTemplate(fixture, bodyOf(text('Ana', { parameter_name: 'x' })))).body.error.code, 132000)
})

test('a link with a variable needs its parameter, and a button that does not exist cannot have one', async (t) => {
  const { fixture } = await benchWith(t, {
    components: [
      { type: 'BODY', text: 'Acompanhe o pedido' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Ver', url: 'https://a.b/{{1}}', example: ['x'] }] },
    ],
  })
  const button = (index: string) => [{ type: 'button', sub_type: 'url', index, parameters: [text('42')] }]

  assert.equal((await sendTemplate(fixture, button('0'))).status, 200)
  const missing = await sendTemplate(fixture, [])
  assert.equal(missing.body.error.code, 131008)
  assert.equal(missing.body.error.error_data?.details, 'buttons: Button at index 0 of type Url requires a parameter')
  assert.equal((await sendTemplate(fixture, [...button('0'), ...button('3')])).body.error.code, 132018)
})

test('a media header needs a parameter of its type with existing media', async (t) => {
  const { fixture } = await benchWith(t)
  const session = (await fixture.graph('POST', `/${fixture.simulator.appId}/uploads?file_length=3&file_type=image/png`))
    .body as unknown as { id: string }
  const { h } = (await fixture.graph('POST', `/${session.id}`, Buffer.from('abc'), { file_offset: '0' }))
    .body as unknown as { h: string }
  await fixture.graph('POST', `/${fixture.wabaId}/message_templates`, {
    name: 'foto',
    language: 'pt_BR',
    category: 'MARKETING',
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [h] } },
      { type: 'BODY', text: 'Novidade' },
    ],
  })
  await fixture.advance(HOUR_MS)
  const send = (parameters: object[]) => sendTemplate(fixture, [{ type: 'header', parameters }], { name: 'foto' })

  assert.equal((await send([{ type: 'image', image: { link: 'https://a.b/c.png' } }])).status, 200)
  const missing = await send([])
  assert.equal(missing.body.error.error_data?.details, 'header: Format mismatch, expected IMAGE, received UNKNOWN')
  assert.equal(
    (await send([{ type: 'image', image: { id: '1' } }])).body.error.message,
    "(#100) Param template['components'][0]['parameters'][0]['image']['id'] is not a valid whatsapp business account media attachment ID",
  )
})

test("an authentication template needs the code twice, and the recipient's phone number", async (t) => {
  const { fixture } = await benchWith(t, {
    category: 'AUTHENTICATION',
    components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }],
  })
  const components = [
    ...bodyOf(text('1234')),
    { type: 'button', sub_type: 'url', index: '0', parameters: [text('1234')] },
  ]

  const good = await sendTemplate(fixture, components)
  assert.equal(good.status, 200, JSON.stringify(good.body))
  assert.equal((await sendTemplate(fixture, bodyOf(text('1234')))).body.error.code, 131008)
  const recipient = await fixture.readUserId()
  const template = { name: 'aviso', language: { code: 'pt_BR' }, components }
  assert.equal((await fixture.send({ to: undefined, recipient, type: 'template', template })).body.error.code, 131062)
})

test('a marketing template to a person who stopped marketing messages fails later with 131050', async (t) => {
  const { fixture } = await benchWith(t, { category: 'MARKETING' })
  await fixture.control('POST', '/contacts/5511999990000/preferences', { to: fixture.phoneId, value: 'stop' })

  await sendTemplate(fixture, bodyOf(text('Ana'), text('12')))
  await fixture.advance(10_000)

  assert.equal(listStatuses(fixture.receiver)[0]?.errors?.[0]?.code, 131050)
})
