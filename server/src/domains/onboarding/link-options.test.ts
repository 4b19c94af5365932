import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, listEvents, PIN, readLinkToken, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'

const OPTIONS = {
  success_url: 'https://panel.example.com/done?customer=42#top',
  failure_url: 'https://panel.example.com:8443/numbers',
  language: 'es',
  metadata: { customer: '42', nested: { list: [1, null, 'á'] } },
}

async function start(t: Parameters<typeof startHubWithUpstream>[0]) {
  const { hub, up, post } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const create = (body?: unknown) => acme.post(`/api/v1/channels/${id}/connect-link`, body)
  return { hub, up, post, acme, id, create }
}

test('the options of a link are shown to its page, without its metadata', {
  rules: ['connect.link-takes-return-addresses', 'connect.link-has-a-language'],
}, async (t) => {
  const { hub, create } = await start(t)
  const created = await create(OPTIONS)
  assert.equal(created.status, 201, created.text)

  const { body, text } = await hub.anonymous.get(`/api/v1/connect/${readLinkToken(created.body.data.connect_url)}`)

  const { success_url, failure_url, language, link_language } = body.data
  assert.deepEqual(
    { success_url, failure_url, language, link_language },
    {
      success_url: OPTIONS.success_url,
      failure_url: OPTIONS.failure_url,
      language: 'es',
      link_language: 'es',
    },
  )
  assert.doesNotMatch(text, /customer":|metadata/)
})

test('the metadata of a link comes back in the event of its own connection', {
  rules: ['connect.metadata-comes-back'],
}, async (t) => {
  const { hub, up, post, id, create } = await start(t)
  const number = await up.number()
  const readEvents = async () => (await listEvents(hub.sql, id)).filter(({ kind }) => kind === 'channel.connected')

  const first = await create(OPTIONS)
  assert.equal((await post(readLinkToken(first.body.data.connect_url), number, { pin: PIN })).status, 200)
  const second = await create()
  assert.equal((await post(readLinkToken(second.body.data.connect_url), number, { pin: PIN })).status, 200)

  const events = await readEvents()
  assert.deepEqual(
    events.map(({ data }) => (data as { metadata?: unknown }).metadata),
    [OPTIONS.metadata, undefined],
  )
})

const REFUSED: [string, object, string][] = [
  ['an address without TLS', { success_url: 'http://panel.example.com/' }, '/success_url'],
  ['an address with a user name', { success_url: 'https://ana@panel.example.com/' }, '/success_url'],
  ['an address with a password', { failure_url: 'https://ana:secret@panel.example.com/' }, '/failure_url'],
  ['a script', { failure_url: 'javascript:alert(1)' }, '/failure_url'],
  ['an address with a backslash', { success_url: 'https://panel.example.com\\@evil.example' }, '/success_url'],
  ['an address without a host', { success_url: 'https:///done' }, '/success_url'],
  ['a relative address', { success_url: '/done' }, '/success_url'],
  [
    'an address of more than 2,048 characters',
    { success_url: `https://a.example/${'x'.repeat(2048)}` },
    '/success_url',
  ],
  ['an unknown language', { language: 'fr' }, '/language'],
  ['metadata that is a list', { metadata: ['a'] }, '/metadata'],
  ['metadata that is null', { metadata: null }, '/metadata'],
  ['metadata of more than 2 KB in UTF-8', { metadata: { note: 'á'.repeat(1020) } }, '/metadata'],
  ['an unknown property', { url: 'https://panel.example.com/' }, '/url'],
]

for (const [what, options, path] of REFUSED) {
  test(`${what} is refused with the path of the value, and no link is made`, {
    rules: ['connect.link-takes-return-addresses', 'connect.link-has-a-language', 'connect.metadata-comes-back'],
  }, async (t) => {
    const { hub, acme, create } = await start(t)

    const refused = await create(options)

    assert.equal(refused.status, 400, refused.text)
    assert.deepEqual(
      refused.body.error.details.issues.map((issue: { path: string }) => issue.path),
      [path],
    )
    const links = await hub.sql`select id from connect_links where organization_id = ${acme.organizationId}`
    assert.equal(links.length, 0)
  })
}

test('metadata of exactly 2 KB is taken', { rules: ['connect.metadata-comes-back'] }, async (t) => {
  const { create } = await start(t)
  const note = 'x'.repeat(2048 - '{"note":""}'.length)

  const created = await create({ metadata: { note } })

  assert.equal(created.status, 201, created.text)
})
