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
