import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FILES } from '../media/test/files.ts'
import { createTemplate, postForm, startFacade, TEMPLATE, toStatusAndCode } from './test/fixture.ts'

async function startTemplates(t: TestContext) {
  const fixture = await startFacade(t)
  const { hub, acme, channel } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'developer' })
  const path = `/console/channels/${channel.id}`
  async function listTemplates(): Promise<{ id: string; name: string; language: string }[]> {
    return (await acme.get(`/api/v1/channels/${channel.id}/templates`)).body.data.templates
  }
  return { ...fixture, ana, path, listTemplates }
}

test('a person deletes a template in one language, and then in all', {
  rules: ['template.console-deletes-by-language', 'template.invalid-hsm-id-is-400'],
}, async (t) => {
  const fixture = await startTemplates(t)
  const { ana, acme, client, waba, path, listTemplates } = fixture
  const id = await createTemplate(fixture, 'order_ready')
  await client.post(`${waba}/message_templates`, { ...TEMPLATE, language: 'en_US' })
  await createTemplate(fixture, 'other')

  const one = await ana.send('DELETE', `${path}/templates/order_ready?hsm_id=${id}`)
  const left = await listTemplates()
  const all = await ana.send('DELETE', `${path}/templates/order_ready`)

  assert.deepEqual([one.body, all.body], [{ data: { deleted: true } }, { data: { deleted: true } }])
  assert.deepEqual(left.map(({ name, language }) => `${name} ${language}`).sort(), ['order_ready en_US', 'other pt_BR'])
  assert.deepEqual(
    (await listTemplates()).map(({ name }) => name),
    ['other'],
  )
  const { entries } = (await acme.get('/api/v1/audit-log?action=template.deleted')).body.data
  assert.deepEqual(
    entries.map(({ actor }: { actor: { id: string } }) => actor.id),
    [ana.userId, ana.userId],
  )
})

test('a template id that is not digits is refused before the upstream is called', {
  rules: ['template.invalid-hsm-id-is-400'],
}, async (t) => {
  const { ana, path, upstreamCalls } = await startTemplates(t)

  const malformed = await ana.send('DELETE', `${path}/templates/order_ready?hsm_id=1x`)

  assert.deepEqual(toStatusAndCode(malformed), [400, 'INVALID_TEMPLATE_ID'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('a person uploads an example, whose bytes decide its type, and uses it in a template', {
  rules: ['template.example-file-gives-a-handle'],
}, async (t) => {
  const { ana, path, channel } = await startTemplates(t)
  const examples = `${path}/template-examples`

  const uploaded = await postForm(ana, examples, [{ bytes: FILES.png!.bytes, name: 'a.txt', type: 'text/plain' }])
  const text = await postForm(ana, examples, [{ bytes: 'just text', name: 'a.png', type: 'image/png' }])
  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [uploaded.body.data.handle] } }
  const components = [header, ...TEMPLATE.components]
  const created = await ana.post(`/api/v1/channels/${channel.id}/templates`, { ...TEMPLATE, components })

  assert.deepEqual([uploaded, text, created].map(toStatusAndCode), [
    [201, 'ok'],
    [400, 'INVALID_MEDIA'],
    [201, 'ok'],
  ])
})

test("a viewer, and a person of another organization, change nothing of a channel's templates", {
  rules: ['template.console-needs-developer'],
}, async (t) => {
  const { hub, acme, path, upstreamCalls } = await startTemplates(t)
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const bruno = await hub.person()

  for (const [person, expected] of [
    [viewer, [403, 'INSUFFICIENT_SCOPE']],
    [bruno, [404, 'NOT_FOUND']],
  ] as const) {
    const deleted = await person.send('DELETE', `${path}/templates/order_ready`)
    const uploaded = await postForm(person, `${path}/template-examples`, [{ bytes: FILES.png!.bytes }])
    assert.deepEqual([deleted, uploaded].map(toStatusAndCode), [expected, expected])
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('a person edits a rejected template in one language, which is reviewed again, and no other', {
  rules: ['template.console-edits-one-language', 'template.console-needs-developer'],
}, async (t) => {
  const fixture = await startTemplates(t)
  const { ana, acme, hub, path, listTemplates } = fixture
  const id = await createTemplate(fixture, 'order_ready')
  const otherId = await createTemplate(fixture, 'other')
  const review = `/numbers/${fixture.channel.number.phoneNumberId}/templates/${id}/review`
  await fixture.up.simulator.control('POST', review, { result: 'REJECTED', reason: 'PROMOTIONAL' })
  const edit = (name: string, hsmId: string, body: object) =>
    ana.patch(`${path}/templates/${name}`, { hsm_id: hsmId, ...body })
  const components = [{ type: 'BODY', text: 'Your order is here.' }]
  const viewer = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })

  const edited = await edit('order_ready', id, { category: 'UTILITY', components })
  const refused = [
    await edit('order_ready', otherId, { components }),
    await edit('order_ready', '999', { components }),
    await viewer.patch(`${path}/templates/order_ready`, { hsm_id: id, components }),
    await edit('order_ready', id, { components, name: 'x' }),
  ]

  assert.deepEqual(edited.body, { data: { edited: true } }, edited.text)
  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 404, 403, 400],
  )
  const templates = (await listTemplates()) as unknown as { id: string; status: string; components: unknown }[]
  const template = templates.find((one) => one.id === id)
  assert.deepEqual([template?.status, template?.components], ['PENDING', components])
  const { entries } = (await acme.get('/api/v1/audit-log?action=template.updated')).body.data
  assert.deepEqual(
    entries.map(({ actor }: { actor: { id: string } }) => actor.id),
    [ana.userId],
  )
})
