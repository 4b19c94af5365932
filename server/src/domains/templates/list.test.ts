import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../../test/client.ts'
import { createChannel, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { startRelayed } from '../../../test/relay.ts'

type Template = { id: string; name: string }

/** A connected channel whose account has `count` templates. */
async function startChannel(t: TestContext, count = 0) {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  const path = `/api/v1/channels/${channel.id}/templates`
  for (let i = 0; i < count; i++) assert.equal((await acme.post(path, buildTemplate(`t_${i}`))).status, 201)
  return { ...setup, acme, channel, path }
}

function buildTemplate(name: string) {
  return { name, language: 'pt_BR', category: 'UTILITY', components: [{ type: 'BODY', text: 'Pedido pronto.' }] }
}

/** Follows the cursors to the end. */
async function readPages(reader: Client, path: string, limit: number): Promise<Template[][]> {
  const pages: Template[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await reader.get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200, page.text)
    pages.push(page.body.data.templates)
    cursor = page.body.data.next_cursor
  }
  return pages
}

test('pages of any size contain each template once', async (t) => {
  const { acme, path } = await startChannel(t, 7)

  for (const [limit, sizes] of [
    [3, [3, 3, 1]],
    [7, [7]],
    [100, [7]],
  ] as const) {
    const pages = await readPages(acme, path, limit)

    assert.deepEqual(
      pages.map(({ length }) => length),
      sizes,
    )
    const names = pages.flat().map(({ name }) => name)
    assert.deepEqual(names.toSorted(), ['t_0', 't_1', 't_2', 't_3', 't_4', 't_5', 't_6'])
  }
})

test('an empty list has no templates and no cursor', { rules: ['api.success-is-one-data-member'] }, async (t) => {
  const { acme, path } = await startChannel(t)

  const answer = await acme.get(path)

  assert.deepEqual(answer.body.data, { templates: [], next_cursor: null })
})

test('a page has 50 templates by default', { rules: ['api.pages-have-a-cursor'] }, async (t) => {
  const { acme, path, requests } = await startChannel(t)

  await acme.get(path)

  const [asked] = await requests('/message_templates')
  assert.equal(String(asked?.params.limit), '50')
})

test("templates are returned as the upstream's objects", {
  rules: ['template.lists-those-of-the-account', 'template.is-the-upstreams-object'],
}, async (t) => {
  const { acme, path } = await startChannel(t, 1)

  const [shown] = (await acme.get(path)).body.data.templates

  const { id, quality_score, ...rest } = shown
  assert.match(id, /^9\d{16}$/)
  assert.equal(quality_score.score, 'UNKNOWN')
  const listed = { parameter_format: 'POSITIONAL', status: 'PENDING', rejected_reason: 'NONE' }
  assert.deepEqual(rest, { ...buildTemplate('t_0'), ...listed })
})

test('ids above 2^53 are returned as strings without loss, even if the upstream sends numbers', {
  rules: ['template.is-the-upstreams-object'],
}, async (t) => {
  const { relay, acme, id } = await startRelayed(t)
  const page = '{"data":[{"id":90071992547409931,"name":"big","nested":{"library_id":90071992547409933}}],"paging":{}}'

  const asked = relay.catch('/message_templates')
  const answering = acme.get(`/api/v1/channels/${id}/templates`)
  ;(await asked).answer(200, page)
  const answer = await answering

  assert.deepEqual(answer.body.data.templates, [
    { id: '90071992547409931', name: 'big', nested: { library_id: '90071992547409933' } },
  ])
})

test("no page or cursor contains the access token from the upstream's paging links", async (t) => {
  const { acme, path, channel } = await startChannel(t, 2)

  const answer = await acme.get(`${path}?limit=1`)

  assert.ok(answer.body.data.next_cursor)
  const shown = answer.text + Buffer.from(answer.body.data.next_cursor, 'base64url').toString('latin1')
  assert.ok(!shown.includes(channel.number.accessToken))
})

test('a cursor of another organization, channel or limit, or a changed one, is 400', {
  rules: ['api.cursor-is-bound-to-its-list', 'api.pages-have-a-cursor'],
}, async (t) => {
  const { hub, acme, path, connect } = await startChannel(t, 4)
  const sibling = await connect(acme)
  const other = await hub.organization()
  const foreign = await connect(other)
  const cursor: string = (await acme.get(`${path}?limit=2`)).body.data.next_cursor
  const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`

  const answers = await Promise.all([
    acme.get(`/api/v1/channels/${sibling.id}/templates?limit=2&cursor=${cursor}`),
    other.get(`/api/v1/channels/${foreign.id}/templates?limit=2&cursor=${cursor}`),
    acme.get(`${path}?limit=3&cursor=${cursor}`),
    acme.get(`${path}?cursor=${cursor}`),
    acme.get(`${path}?limit=2&cursor=${altered}`),
    acme.get(`${path}?limit=2&cursor=`),
    acme.get(`${path}?limit=2&cursor=nonsense`),
  ])

  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'])
  }
  assert.equal((await acme.get(`${path}?limit=2&cursor=${cursor}`)).status, 200)
})

test('an invalid query is 400', async (t) => {
  const { acme, path } = await startChannel(t)

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1.5',
    'status=APPROVED',
    `cursor=${'x'.repeat(2001)}`,
  ]) {
    const answer = await acme.get(`${path}?${query}`)

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], query)
  }
})

test('a channel token reads the templates of its own channel with templates:read', {
  rules: ['token.reaches-messages-media-and-templates'],
}, async (t) => {
  const { hub, acme, channel, path } = await startChannel(t, 1)
  const other = await createChannel(acme)
  const reader = await hub.channelToken(acme.organizationId, channel.id, ['templates:read'])
  const narrow = await hub.channelToken(acme.organizationId, channel.id, ['templates:write'])

  const own = await reader.get(path)
  const refused = await narrow.get(path)
  const foreign = await narrow.get(`/api/v1/channels/${other.id}/templates`)

  assert.equal(own.body.data.templates.length, 1)
  assert.deepEqual([refused.status, refused.body.error.details.scope], [403, 'templates:read'])
  assert.equal(foreign.status, 404)
})
