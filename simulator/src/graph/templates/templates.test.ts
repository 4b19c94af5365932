import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listValues, type Reply, startFixture } from '../../test/harness.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const body = (text: string, example?: object) => ({ type: 'BODY', text, ...(example ? { example } : {}) })
const oneVariable = body('Olá {{1}}, tudo bem?', { body_text: [['Ana']] })
const quick = (text: string) => ({ type: 'QUICK_REPLY', text })
const link = (url: string, extra = {}) => ({ type: 'URL', text: 'Abrir', url, ...extra })
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list })

function create(fixture: Fixture, draft: Record<string, unknown> = {}): Promise<Reply> {
  return fixture.graph('POST', `/v25.0/${fixture.wabaId}/message_templates`, {
    name: 'aviso',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [body('Seu pedido saiu para entrega')],
    ...draft,
  })
}

async function created(fixture: Fixture, draft: Record<string, unknown> = {}): Promise<string> {
  const reply = await create(fixture, draft)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return (reply.body as unknown as { id: string }).id
}

async function read(fixture: Fixture, id: string, field: string): Promise<unknown> {
  const { body } = await fixture.graph('GET', `/${fixture.wabaId}/message_templates?fields=${field}`)
  return (body.data as { id: string; [field: string]: unknown }[]).find((node) => node.id === id)?.[field]
}

const readStatus = (fixture: Fixture, id: string) => read(fixture, id, 'status')

function events(fixture: Fixture): unknown[] {
  return listValues(fixture.receiver, 'message_template_status_update').map((value) => value.event)
}

test('a new template is pending, then approved, and a webhook reports the approval', async (t) => {
  const fixture = await startFixture(t, { timings: { templateReviewMs: HOUR_MS } })

  const reply = await create(fixture, { category: 'utility' })
  const { id, status, category } = reply.body as unknown as Record<string, string>

  assert.deepEqual([status, category], ['PENDING', 'UTILITY'])
  await fixture.advance(HOUR_MS - 1)
  assert.equal(await readStatus(fixture, id ?? ''), 'PENDING')
  await fixture.advance(1)
  assert.equal(await readStatus(fixture, id ?? ''), 'APPROVED')
  assert.deepEqual(events(fixture), ['APPROVED'])
})

test('the template id in webhooks is an integer above 2^53', async (t) => {
  const fixture = await startFixture(t)

  const id = await created(fixture)
  await fixture.advance(HOUR_MS)

  assert.ok(BigInt(id) > 2n ** 53n)
  assert.match(fixture.receiver.posts[0]?.raw.toString() ?? '', new RegExp(`"message_template_id":${id},`))
  assert.equal(typeof fixture.receiver.posts[0]?.body.entry[0]?.time, 'number')
})

test('a name with the prefix rejected_ is rejected with a reason; the control API can end reviews instead', async (t) => {
  const fixture = await startFixture(t)
  const id = await created(fixture, { name: 'rejected_promo' })
  await fixture.advance(HOUR_MS)
  assert.equal(await readStatus(fixture, id), 'REJECTED')
  assert.equal(listValues(fixture.receiver, 'message_template_status_update')[0]?.reason, 'INVALID_FORMAT')

  const slow = await startFixture(t, { timings: { templateReviewMs: null } })
  const other = await created(slow)
  await slow.advance(30 * DAY_MS)
  assert.equal(await readStatus(slow, other), 'PENDING')
  await slow.control('POST', `/templates/${other}`, { status: 'REJECTED', reason: 'SCAM' })
  assert.equal(await readStatus(slow, other), 'REJECTED')
})

test('quality and category changes have webhooks of their own', async (t) => {
  const fixture = await startFixture(t)
  const id = await created(fixture)
  await fixture.advance(HOUR_MS)

  await fixture.control('POST', `/templates/${id}`, { quality: 'RED', category: 'MARKETING' })

  assert.equal(listValues(fixture.receiver, 'message_template_quality_update')[0]?.new_quality_score, 'RED')
  assert.equal(listValues(fixture.receiver, 'template_category_update')[0]?.new_category, 'MARKETING')
})

const REFUSED: [what: string, draft: Record<string, unknown>, subcode: number | undefined][] = [
  ['name with capitals', { name: 'Aviso' }, undefined],
  ['no name', { name: undefined }, undefined],
  ['unknown locale', { language: 'português' }, undefined],
  ['unknown category', { category: 'SPAM' }, undefined],
  ['no components', { components: undefined }, undefined],
  ['components that are no list', { components: {} }, undefined],
  ['empty body', { components: [body('')] }, 2388072],
  [
    'header variable without example',
    { components: [oneVariable, { type: 'HEADER', format: 'TEXT', text: 'a {{1}} b' }] },
    2388043,
  ],
  ['media header without a sample', { components: [oneVariable, { type: 'HEADER', format: 'IMAGE' }] }, 2388043],
  ['no buttons among the buttons', { components: [oneVariable, buttons()] }, 2388060],
  [
    'ten quick replies and a link',
    {
      components: [oneVariable, buttons(...Array.from({ length: 10 }, (_, i) => quick(`b${i}`)), link('https://a.b'))],
    },
    2388060,
  ],
  ['unknown button', { components: [oneVariable, buttons({ type: 'POKE', text: 'x' })] }, 2388060],
  ['link that is no address', { components: [oneVariable, buttons(link('a.b'))] }, 2388060],
  [
    'two numbers to call',
    { components: [oneVariable, buttons(...Array(2).fill({ type: 'PHONE_NUMBER', text: 'x', phone_number: '+551' }))] },
    2388060,
  ],
  ['no body', { components: [{ type: 'FOOTER', text: 'x' }] }, 2388072],
  ['body too long', { components: [body('a'.repeat(1025))] }, 2388040],
  ['leading variable', { components: [body('{{1}} chegou o pedido', { body_text: [['a']] })] }, 2388299],
  ['trailing variable', { components: [body('chegou o pedido {{1}}', { body_text: [['a']] })] }, 2388299],
  ['gap in variables', { components: [body('Olá {{2}}, tudo bem?', { body_text: [['a']] })] }, 2388072],
  ['adjacent variables', { components: [body('Olá {{1}} {{2}}, tudo bem?', { body_text: [['a', 'b']] })] }, 2388072],
  ['too many variables', { components: [body('a {{1}}, {{2}}, {{3}}, b', { body_text: [['a', 'b', 'c']] })] }, 2388293],
  ['variable without example', { components: [body('Olá {{1}}, tudo bem?')] }, 2388043],
  ['header too long', { components: [oneVariable, { type: 'HEADER', format: 'TEXT', text: 'a'.repeat(61) }] }, 2388040],
  [
    'header of two variables',
    { components: [oneVariable, { type: 'HEADER', format: 'TEXT', text: 'a {{1}} b {{2}}' }] },
    2388047,
  ],
  ['unknown header format', { components: [oneVariable, { type: 'HEADER', format: 'AUDIO' }] }, 2388047],
  [
    'header handle that was never uploaded',
    { components: [oneVariable, { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::x'] } }] },
    2388047,
  ],
  ['footer with a variable', { components: [oneVariable, { type: 'FOOTER', text: 'a {{1}}' }] }, 2388073],
  ['footer too long', { components: [oneVariable, { type: 'FOOTER', text: 'a'.repeat(61) }] }, 2388040],
  [
    'eleven buttons',
    { components: [oneVariable, buttons(...Array.from({ length: 11 }, (_, i) => quick(`b${i}`)))] },
    2388060,
  ],
  [
    'three links',
    { components: [oneVariable, buttons(link('https://a.b'), link('https://a.b'), link('https://a.b'))] },
    2388060,
  ],
  [
    'scattered quick replies',
    { components: [oneVariable, buttons(quick('a'), link('https://a.b'), quick('b'))] },
    2388060,
  ],
  ['button with a variable', { components: [oneVariable, buttons(quick('a {{1}}'))] }, 2388060],
  ['long button', { components: [oneVariable, buttons(quick('a'.repeat(26)))] }, 2388060],
  ['link variable without example', { components: [oneVariable, buttons(link('https://a.b/{{1}}'))] }, 2388060],
  ['authentication without a code button', { category: 'AUTHENTICATION', components: [{ type: 'BODY' }] }, 2388060],
  ['life of a message out of range', { message_send_ttl_seconds: 10 }, undefined],
]

test('an invalid template is refused with code 100, a subcode and a message for its author', async (t) => {
  const fixture = await startFixture(t)

  for (const [what, draft, subcode] of REFUSED) {
    const { status, body: answer } = await create(fixture, draft)
    assert.equal(status, 400, what)
    assert.equal(answer.error.code, 100, what)
    assert.equal(answer.error.error_subcode, subcode, `${what}: ${JSON.stringify(answer)}`)
    if (subcode) assert.ok(answer.error.error_user_title && answer.error.error_user_msg, what)
  }
})

test('accepts named variables, media headers with an uploaded sample and all buttons', async (t) => {
  const fixture = await startFixture(t)
  const query = 'file_length=3&file_type=image/png'
  const session = (await fixture.graph('POST', `/${fixture.simulator.appId}/uploads?${query}`)).body as unknown as {
    id: string
  }
  const { h } = (await fixture.graph('POST', `/${session.id}`, Buffer.from('abc'), { file_offset: '0' }))
    .body as unknown as { h: string }

  await created(fixture, {
    parameter_format: 'NAMED',
    components: [
      { type: 'header', format: 'image', example: { header_handle: [h] } },
      body('Olá {{nome}}, tudo bem?', { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] }),
      { type: 'FOOTER', text: 'Padaria' },
      buttons(quick('Sim'), quick('Não'), link('https://a.b/{{1}}', { example: ['x'] }), link('https://a.b')),
    ],
  })
  await created(fixture, {
    name: 'codigo',
    category: 'AUTHENTICATION',
    components: [{ type: 'BODY', add_security_recommendation: true }, buttons({ type: 'OTP', otp_type: 'COPY_CODE' })],
  })
})

test('a name has one template per language', async (t) => {
  const fixture = await startFixture(t)
  await created(fixture)

  assert.equal((await create(fixture)).body.error.error_subcode, 2388024)
  await created(fixture, { language: 'en_US' })
})

test('an account can create 100 templates an hour, and have 250 if the business is not verified', async (t) => {
  const fixture = await startFixture(t)

  for (let count = 0; count < 100; count++) await created(fixture, { name: `aviso_${count}` })
  assert.equal((await create(fixture, { name: 'one_more' })).body.error.error_subcode, 2388019)
  await fixture.advance(HOUR_MS)
  await created(fixture, { name: 'one_more' })
})

test('the list is paged by cursors, newest first, and its links contain the token', async (t) => {
  const fixture = await startFixture(t)
  for (let count = 0; count < 5; count++) await created(fixture, { name: `aviso_${count}` })
  type Page = {
    data: { name: string }[]
    paging: { cursors: { before: string; after: string }; next?: string; previous?: string }
  }
  const get = async (path: string) => (await fixture.graph('GET', path)).body as unknown as Page
  const names = (page: Page) => page.data.map(({ name }) => name)

  const first = await get(`/v25.0/${fixture.wabaId}/message_templates?limit=2&fields=name`)
  const second = await get(`/v25.0/${fixture.wabaId}/message_templates?limit=2&after=${first.paging.cursors.after}`)
  const back = await get(`/v25.0/${fixture.wabaId}/message_templates?limit=2&before=${second.paging.cursors.before}`)
  const followed = (await (await fetch(first.paging.next ?? '')).json()) as Page

  assert.deepEqual(names(first), ['aviso_4', 'aviso_3'])
  assert.deepEqual(names(second), ['aviso_2', 'aviso_1'])
  assert.deepEqual(names(back), names(first))
  assert.deepEqual(names(followed), names(second))
  assert.equal(first.paging.previous, undefined)
  assert.equal(new URL(first.paging.next ?? '').searchParams.get('access_token'), fixture.token)
  const last = await get(`/${fixture.wabaId}/message_templates?limit=2&after=${second.paging.cursors.after}`)
  assert.equal(last.paging.next, undefined)
})

test('a page has 25 items by default, and an invalid limit is refused', async (t) => {
  const fixture = await startFixture(t)
  for (let count = 0; count < 27; count++) await created(fixture, { name: `aviso_${count}` })
  const get = (query: string) => fixture.graph('GET', `/${fixture.wabaId}/message_templates?fields=name${query}`)

  assert.equal(((await get('')).body.data as []).length, 25)
  assert.equal(((await get('&limit=5000')).body.data as []).length, 27)
  for (const limit of ['0', '-1', 'x', '1.5']) assert.equal((await get(`&limit=${limit}`)).body.error.code, 100, limit)
})

test('an invalid cursor is refused with 131059', async (t) => {
  const fixture = await startFixture(t)
  await created(fixture)

  const { body: answer } = await fixture.graph('GET', `/${fixture.wabaId}/message_templates?after=bm90aGluZw`)

  assert.equal(answer.error.code, 131059)
})

test('the list is filtered by name, status, language and content', async (t) => {
  const fixture = await startFixture(t)
  await created(fixture)
  await created(fixture, { language: 'en_US' })
  await created(fixture, { name: 'rejected_x', components: [body('Outra coisa qualquer')] })
  await fixture.advance(HOUR_MS)
  const count = async (query: string) =>
    ((await fixture.graph('GET', `/${fixture.wabaId}/message_templates?${query}`)).body as unknown as { data: [] }).data
      .length

  assert.equal(await count('name=aviso'), 2)
  assert.equal(await count('language=en_US'), 1)
  assert.equal(await count('status=REJECTED'), 1)
  assert.equal(await count('status[]=REJECTED&status[]=APPROVED'), 3)
  assert.equal(await count('content=Outra'), 1)
})

test('deleting by name removes all languages, and by hsm_id only one', async (t) => {
  const fixture = await startFixture(t)
  const ids = [
    await created(fixture),
    await created(fixture, { language: 'en_US' }),
    await created(fixture, { language: 'es' }),
  ]
  const left = async () =>
    ((await fixture.graph('GET', `/${fixture.wabaId}/message_templates`)).body as unknown as { data: [] }).data.length
  const remove = (query: string) => fixture.graph('DELETE', `/v25.0/${fixture.wabaId}/message_templates?${query}`)

  assert.match((await remove(`hsm_id=${ids[0]}`)).body.error.message, /name is required/)
  assert.equal((await remove('name=aviso&hsm_id=1')).body.error.error_subcode, 33)
  assert.deepEqual((await remove(`name=aviso&hsm_id=${ids[0]}`)).body, { success: true })
  assert.equal(await left(), 2)
  assert.equal((await remove('name=aviso')).status, 200)
  assert.equal(await left(), 0)
  assert.equal((await remove('name=aviso')).status, 400)
  await fixture.advance(0)
  assert.deepEqual(events(fixture), ['DELETED', 'DELETED', 'DELETED'])
})

test('the time to live of messages is limited by category', async (t) => {
  const fixture = await startFixture(t)

  const id = await created(fixture, { message_send_ttl_seconds: 43_200 })
  await created(fixture, { name: 'sempre', message_send_ttl_seconds: -1 })

  assert.equal(await read(fixture, id, 'message_send_ttl_seconds'), 43_200)
  assert.equal((await create(fixture, { name: 'x', message_send_ttl_seconds: 43_201 })).body.error.code, 100)
})

test('the name of a deleted approved template is blocked for thirty days', async (t) => {
  const fixture = await startFixture(t)
  await created(fixture)
  await fixture.advance(HOUR_MS)
  await fixture.graph('DELETE', `/${fixture.wabaId}/message_templates?name=aviso`)

  assert.equal((await create(fixture)).body.error.error_subcode, 2388023)
  await fixture.advance(30 * DAY_MS)
  await created(fixture)
})

test('a disabled template cannot be deleted', async (t) => {
  const fixture = await startFixture(t)
  const id = await created(fixture)
  await fixture.control('POST', `/templates/${id}`, { status: 'DISABLED' })

  assert.equal((await fixture.graph('DELETE', `/${fixture.wabaId}/message_templates?name=aviso`)).status, 400)
})
