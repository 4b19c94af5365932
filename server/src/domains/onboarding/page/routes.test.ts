import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { createChannel, createLink } from '../../../../test/hub-with-upstream.ts'

test('the address of a link is a page, for whoever has it, that loads nothing but its own', {
  rules: ['D6-45'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)

  const page = await hub.anonymous.get(`/connect/${link}`)
  const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  const loaded = await Promise.all(assets.map((path) => hub.anonymous.get(path)))

  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.deepEqual(assets, ['/connect/assets/connect.css', '/connect/assets/connect.js'])
  for (const { status, text } of loaded) {
    assert.equal(status, 200)
    assert.ok(text.length > 100)
  }
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(policy, /https?:|unsafe/)
})

// The script asks what the link is for: the page itself gives nothing away, and nothing that it holds can leak.
test('the page is the same for every link, and has no word of the link in it', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const link = await createLink(acme, (await createChannel(acme, { name: 'Secret Name' })).id)

  const [known, unknown] = [await hub.anonymous.get(`/connect/${link}`), await hub.anonymous.get('/connect/nonsense')]

  assert.equal(known.text, unknown.text)
  assert.ok(!known.text.includes(link) && !known.text.includes('Secret Name'))
  assert.equal(known.headers.get('referrer-policy'), 'no-referrer')
})
