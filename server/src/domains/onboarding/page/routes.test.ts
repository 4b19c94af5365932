import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_NAMES, LANGUAGES } from '@hubline/locales/languages.ts'
import { startHub } from '../../../../test/hub.ts'
import { createChannel, createLink } from '../../../../test/hub-with-upstream.ts'

test('the URL of a link is a public page that loads only its own assets', {
  rules: ['connect.page-is-for-the-person'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const link = await createLink(acme, (await createChannel(acme)).id)

  const page = await hub.anonymous.get(`/connect/${link}`)
  const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  const loaded = await Promise.all(assets.map((path) => hub.anonymous.get(path)))

  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.deepEqual(assets, ['/assets/page.css', '/connect/assets/connect.css', '/connect/assets/connect.js'])
  for (const { status, text } of loaded) {
    assert.equal(status, 200)
    assert.ok(text.length > 100)
  }
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.doesNotMatch(policy, /https?:|unsafe/)
})

// The page's script loads the link from the API, so the page itself has nothing that could leak.
test('the page is the same for every link and contains nothing of the link', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const link = await createLink(acme, (await createChannel(acme, { name: 'Secret Name' })).id)

  const [known, unknown] = [await hub.anonymous.get(`/connect/${link}`), await hub.anonymous.get('/connect/nonsense')]

  assert.equal(known.text, unknown.text)
  assert.ok(!known.text.includes(link) && !known.text.includes('Secret Name'))
  assert.equal(known.headers.get('referrer-policy'), 'no-referrer')
})

for (const [query, accepted, lang, title] of [
  ['', 'es-419;q=0.9, en;q=0.1', 'es', 'Conecta tu número de WhatsApp'],
  ['?lang=pt-BR', 'es', 'pt-BR', 'Conecte seu número do WhatsApp'],
  ['?lang=es&lang=pt-BR', 'en', 'es', 'Conecta tu número de WhatsApp'],
  ['?lang=%22%3E%3Cscript%3E', 'xx', 'en', 'Connect your WhatsApp number'],
] as const) {
  test(`the address "${query}" and the header "${accepted}" give a page in ${lang}, whole without its script`, {
    rules: ['page.language-follows-its-reader'],
  }, async (t) => {
    const hub = await startHub(t)

    const { text } = await hub.anonymous.get(`/connect/anything${query}`, { headers: { 'accept-language': accepted } })

    assert.match(text, new RegExp(`<html lang="${lang}">`))
    assert.ok(text.includes(`<h1 id="title">${title}</h1>`), text)
    assert.doesNotMatch(text, /<script>|\{\{|undefined/)
  })
}

test('the page lets a person choose every language', async (t) => {
  const hub = await startHub(t)

  const { text } = await hub.anonymous.get('/connect/anything')

  const options = [...text.matchAll(/<option value="(.+?)">(.+?)</g)].map(([, value, name]) => [value, name])
  assert.deepEqual(Object.fromEntries(options), LANGUAGE_NAMES)
})

// The text of a step, such as "check the PIN", would be wrong for an upstream that is down.
test('the page has texts in each language for an upstream that is unavailable or throttles', async (t) => {
  const hub = await startHub(t)

  const { text } = await hub.anonymous.get('/connect/assets/translations.js')
  const { TRANSLATIONS } = await import(`data:text/javascript,${encodeURIComponent(text)}`)

  assert.deepEqual(Object.keys(TRANSLATIONS), LANGUAGES)
  for (const code of ['UPSTREAM_UNAVAILABLE', 'RATE_LIMITED']) {
    assert.match(TRANSLATIONS.en[code], /try again/)
    assert.match(TRANSLATIONS['pt-BR'][code], /tente de novo/)
    assert.match(TRANSLATIONS.es[code], /inténtalo de nuevo/)
  }
})
