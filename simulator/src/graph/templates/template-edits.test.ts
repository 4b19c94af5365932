import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, type SeededAccount, startFixture } from '../../test/harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TEXT = { type: 'BODY', text: 'Seu pedido saiu para entrega' }
const OTHER_TEXT = { type: 'BODY', text: 'Seu pedido chegou' }

async function create(fixture: Fixture, draft: object = {}): Promise<string> {
  const reply = await fixture.graph('POST', `/${fixture.wabaId}/message_templates`, {
    name: 'aviso',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [TEXT],
    ...draft,
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return (reply.body as unknown as { id: string }).id
}

async function createApproved(fixture: Fixture, draft: object = {}): Promise<string> {
  const id = await create(fixture, draft)
  await fixture.advance(HOUR_MS)
  return id
}

const edit = (fixture: Fixture, id: string, body: object) => fixture.graph('POST', `/v25.0/${id}`, body)
const read = (fixture: Fixture, id: string, fields: string) => fixture.graph('GET', `/v25.0/${id}?fields=${fields}`)

test('a template is read by its id, with the requested fields', async (t) => {
  const fixture = await startFixture(t)
  const id = await create(fixture)

  assert.deepEqual((await read(fixture, id, 'name,status')).body, { name: 'aviso', status: 'PENDING', id })
  const whole = await fixture.graph('GET', `/${id}`)
  assert.deepEqual(whole.body.components, [TEXT])
})

test('the template of another account does not exist', async (t) => {
  const fixture = await startFixture(t)
  const id = await createApproved(fixture)
  const other = await fixture.control<SeededAccount>('POST', '/accounts', {})
  const headers = { authorization: `Bearer ${other.access_token}` }

  for (const [method, body] of [['GET'], ['POST', { components: [OTHER_TEXT] }]] as const) {
    const reply = await fixture.graph(method, `/${id}`, body, headers)
    assert.deepEqual([reply.status, reply.body.error.error_subcode], [400, 33])
  }
  assert.equal((await fixture.graph('DELETE', `/${id}`)).body.error.error_subcode, 33)
})

test('an edit replaces all components and starts another review', async (t) => {
  const fixture = await startFixture(t)
  const id = await createApproved(fixture, { components: [TEXT, { type: 'FOOTER', text: 'Padaria' }] })

  assert.deepEqual((await edit(fixture, id, { components: [OTHER_TEXT] })).body, { success: true })

  assert.deepEqual((await read(fixture, id, 'status,components')).body, {
    status: 'PENDING',
    components: [OTHER_TEXT],
    id,
  })
  await fixture.advance(HOUR_MS)
  assert.equal((await read(fixture, id, 'status')).body.status, 'APPROVED')
})

for (const status of ['PENDING', 'DISABLED', 'IN_APPEAL', 'PENDING_DELETION']) {
  test(`a template that is ${status} cannot be edited`, async (t) => {
    const fixture = await startFixture(t)
    const id = await createApproved(fixture)
    await fixture.control('POST', `/templates/${id}`, { status })

    const { status: code, body } = await edit(fixture, id, { components: [OTHER_TEXT] })

    assert.deepEqual([code, body.error.error_subcode], [400, 2388039])
  })
}

test('an approved template is edited at most once in 24 hours and ten times in 30 days', async (t) => {
  const fixture = await startFixture(t)
  const id = await createApproved(fixture)
  const attempt = async () => {
    const { body } = await edit(fixture, id, { components: [OTHER_TEXT] })
    await fixture.advance(HOUR_MS)
    return body.error?.error_subcode
  }

  assert.equal(await attempt(), undefined)
  assert.equal(await attempt(), 2388039)
  for (let n = 1; n < 10; n++) {
    await fixture.advance(DAY_MS)
    assert.equal(await attempt(), undefined, `edit ${n}`)
  }
  await fixture.advance(DAY_MS)
  assert.equal(await attempt(), 2388039)
  await fixture.advance(30 * DAY_MS)
  assert.equal(await attempt(), undefined)
})

test('a rejected or paused template can be edited again and again, with another category', async (t) => {
  const fixture = await startFixture(t)
  const id = await createApproved(fixture)

  for (const status of ['REJECTED', 'PAUSED', 'REJECTED']) {
    await fixture.control('POST', `/templates/${id}`, { status })
    assert.deepEqual((await edit(fixture, id, { category: 'MARKETING' })).body, { success: true })
  }
  assert.equal((await read(fixture, id, 'category')).body.category, 'MARKETING')
})

test('an invalid edit of a template is refused', async (t) => {
  const fixture = await startFixture(t)
  const id = await createApproved(fixture)
  const refuse = async (body: object) => (await edit(fixture, id, body)).body.error

  assert.equal((await refuse({ name: 'outro' })).code, 100)
  assert.equal((await refuse({ components: [] })).error_subcode, 2388072)
  assert.match((await refuse({ category: 'MARKETING' })).message, /approved template/)
  assert.match((await refuse({ message_send_ttl_seconds: 5 })).message, /between 30 and 43200/)
  assert.equal((await edit(fixture, id, { message_send_ttl_seconds: 60 })).status, 200)
})

test('a list with a summary has the requested counts', async (t) => {
  const fixture = await startFixture(t)
  await create(fixture)
  await create(fixture, { name: 'outro' })
  const list = (query: string) => fixture.graph('GET', `/${fixture.wabaId}/message_templates?${query}`)

  const { body } = await list('name=aviso&summary=total_count,message_template_count,message_template_limit')

  assert.deepEqual(body.summary, { total_count: 1, message_template_count: 2, message_template_limit: 6000 })
  assert.equal((await list('')).body.summary, undefined)
  assert.equal((await list('summary=color')).body.error.code, 100)
})
