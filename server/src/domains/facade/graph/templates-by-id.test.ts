import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { CHANNEL_TOKEN_SCOPES } from '../../auth/scopes.ts'
import { createTemplate, TEMPLATE } from '../test/fixture.ts'
import { createGraphClient, startGraph, startRelayedGraph, toGraphCodes } from '../test/graph.ts'

type Graph = Awaited<ReturnType<typeof startGraph>>

const MISSING = [400, 100, 33]
const EDIT = { components: [{ type: 'BODY', text: 'Seu pedido chegou.' }] }

/** A template that the upstream has approved. */
async function createApproved(fixture: Graph, name = 'order_ready'): Promise<string> {
  const id = await createTemplate(fixture, name)
  await fixture.up.simulator.control('POST', `/templates/${id}`, { status: 'APPROVED' })
  return id
}

test('a template is read, edited and deleted by its id', { rules: ['graph.manages-templates-by-id'] }, async (t) => {
  const fixture = await startGraph(t)
  const { client, upstreamCalls, channel } = fixture
  const id = await createApproved(fixture)
  const path = `/graph/v25.0/${id}`

  const read = await client.get(`${path}?fields=name,status,owner{id},components.limit(1)`)
  const edited = await client.post(path, {
    ...EDIT,
    name: 'other',
    language: 'en',
    access_token: 'x',
    method: 'delete',
  })
  const call = (await upstreamCalls()).at(-1)
  const after = await client.get(path)
  const deleted = await client.delete(path)

  assert.deepEqual(read.body, { name: 'order_ready', status: 'APPROVED', id })
  assert.deepEqual(edited.body, { success: true })
  assert.deepEqual([call?.method, call?.path, call?.params], ['POST', `/${id}`, EDIT])
  assert.deepEqual(after.body.components, EDIT.components)
  assert.deepEqual(deleted.body, { success: true })
  const deletion = (await upstreamCalls()).at(-1)
  assert.equal(deletion?.path, `/${channel.number.wabaId}/message_templates`)
  assert.deepEqual(deletion?.params, { name: 'order_ready', hsm_id: id })
  assert.deepEqual(toGraphCodes(await client.get(path)), MISSING)
})

test('edits and deletions by id have audit entries', { rules: ['graph.manages-templates-by-id'] }, async (t) => {
  const fixture = await startGraph(t)
  const { client, acme, channel } = fixture
  const id = await createApproved(fixture)
  await client.post(`/graph/${id}`, EDIT)
  await client.post(`/graph/${id}`, EDIT)
  await client.delete(`/graph/${id}`)

  const entries = await listAuditEntries(acme, id)

  assert.deepEqual(
    entries.slice(-2).map(({ action, actor, details }) => [action, actor.id, details]),
    [
      ['template.updated', client.id, { channel_id: channel.id, name: 'order_ready' }],
      ['template.deleted', client.id, { channel_id: channel.id, name: 'order_ready', hsm_id: id }],
    ],
  )
})

test("another organization's template is 100/33 and not asked for, also where the stored credential could reach it", {
  rules: ['graph.foreign-template-is-not-asked-for'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { hub, up, client, channel, connect, upstreamCalls } = fixture
  const other = await hub.organization()
  const foreign = await connect(other)
  const theirs = { ...fixture, ...(await createGraphClient(fixture, other.organizationId, foreign)) }
  const id = await createApproved(theirs)
  // Both accounts were shared with one system user.
  const waba_ids = [channel.number.wabaId, foreign.number.wabaId]
  const shared = await up.simulator.control<{ access_token: string }>('POST', '/tokens', { waba_ids })
  const { accessToken: _own, ...number } = channel.number
  const moved = await fixture.acme.post(`/api/v1/channels/${channel.id}/connection`, {
    access_token: shared.access_token,
    waba_id: number.wabaId,
    phone_number_id: number.phoneNumberId,
  })
  assert.equal(moved.status, 200, moved.text)

  for (const [method, body] of [['GET'], ['POST', EDIT], ['DELETE']] as const) {
    const answer = await client.send(method, `/graph/${id}`, body ? { body } : {})
    assert.deepEqual(toGraphCodes(answer), MISSING, method)
  }

  assert.deepEqual(
    (await upstreamCalls()).filter(({ path }) => path.includes(id)),
    [],
  )
  assert.equal((await theirs.client.get(`/graph/${id}?fields=status`)).body.status, 'APPROVED')
})

for (const [method, scope] of [
  ['GET', 'templates:read'],
  ['POST', 'templates:write'],
  ['DELETE', 'templates:write'],
] as const) {
  test(`${method} of a template without ${scope} is 403 with code 10`, {
    rules: ['graph.manages-templates-by-id'],
  }, async (t) => {
    const fixture = await startGraph(t)
    const id = await createApproved(fixture)
    const client = await fixture.withScopes(CHANNEL_TOKEN_SCOPES.filter((held) => held !== scope))

    assert.deepEqual(
      toGraphCodes(await client.send(method, `/graph/${id}`, method === 'POST' ? { body: EDIT } : {})),
      [403, 10],
    )
  })
}

test('a template by id at /upstream is 404 without an upstream call', {
  rules: ['graph.manages-templates-by-id'],
}, async (t) => {
  const fixture = await startGraph(t)
  const id = await createApproved(fixture)
  const before = await fixture.upstreamCalls()

  for (const method of ['GET', 'POST', 'DELETE']) {
    assert.equal((await fixture.client.send(method, `/upstream/${id}`)).status, 404)
  }
  assert.deepEqual(await fixture.upstreamCalls(), before)
})

test('a template on a later page of the list is found', {
  rules: ['graph.foreign-template-is-not-asked-for'],
}, async (t) => {
  const { client, channel, relay } = await startRelayedGraph(t)
  const { wabaId } = channel.number
  const page = (id: string, next?: string) =>
    JSON.stringify({ data: [{ id, name: 'a' }], paging: { cursors: { after: 'c1' }, ...(next && { next }) } })
  const reading = client.get('/graph/777')
  ;(await relay.catch(`/${wabaId}/message_templates`)).answer(200, page('1', 'https://x.example/?access_token=x'))
  const second = await relay.catch('after=c1')
  second.answer(200, page('777'))
  ;(await relay.catch('/777')).answer(200, '{"id":"777","name":"a","created":12345678901234567890}')

  assert.equal((await reading).text, '{"id":"777","name":"a","created":12345678901234567890}')
})

test("the upstream's refusal of an edit keeps its subcode and the texts for people", {
  rules: ['graph.upstream-refusal-keeps-its-error'],
}, async (t) => {
  const fixture = await startGraph(t)
  const id = await createApproved(fixture)
  assert.equal((await fixture.client.post(`/graph/${id}`, EDIT)).status, 200)
  await fixture.up.simulator.control('POST', `/templates/${id}`, { status: 'APPROVED' })

  const answer = await fixture.client.post(`/graph/${id}`, EDIT)

  assert.deepEqual(toGraphCodes(answer), [400, 100, 2388039])
  assert.match(answer.body.error.error_user_msg, /once in 24 hours/)
})

test('a refusal of the list that decides whose a template is reaches the client', {
  rules: ['graph.upstream-refusal-keeps-its-error'],
}, async (t) => {
  const fixture = await startGraph(t)
  const id = await createApproved(fixture)
  await fixture.fault('throttle', '/message_templates', { code: 80007 })

  const answer = await fixture.client.get(`/graph/${id}`)

  assert.equal(answer.body.error.code, 80007)
})

test('a list at /graph takes a summary of known counts, and its pages keep it', {
  rules: ['graph.manages-templates-by-id'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { client, waba, upstreamCalls } = fixture
  await createApproved(fixture, 'first')
  await createApproved(fixture, 'second')

  const { body } = await client.get(`${waba}/message_templates?limit=1&summary=total_count,owner{id},color`)

  assert.deepEqual(body.summary, { total_count: 2 })
  assert.equal(new URL(body.paging.next).searchParams.get('summary'), 'total_count')
  await client.get(`${waba}/message_templates?summary=color`)
  assert.equal((await upstreamCalls()).at(-1)?.params.summary, undefined)
  const upstream = await client.get(`${waba.replace('/graph', '/upstream')}/message_templates?summary=total_count`)
  assert.deepEqual([upstream.status, upstream.body.error.code], [400, 'INVALID_REQUEST'])
})

test('a template of another channel of the organization on another account is 100/33', {
  rules: ['graph.foreign-template-is-not-asked-for'],
}, async (t) => {
  const fixture = await startGraph(t)
  const second = await fixture.connect(fixture.acme)
  const other = await createGraphClient(fixture, fixture.acme.organizationId, second)
  const made = await other.client.post(`${other.waba}/message_templates`, TEMPLATE)

  assert.deepEqual(toGraphCodes(await fixture.client.get(`/graph/${made.body.id}`)), MISSING)
})
