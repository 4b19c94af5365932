import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { sendRaw } from '../../../test/raw-http.ts'

const PAGES = ['/forgot-password', '/billing/return', '/connect', '/sandbox/signup?opener_origin=http://localhost:8080']

/** None of them is a language. */
const HOSTILE_LANGUAGES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty;q=2',
  '"><script>alert(1)</script>',
  '{{title}}',
  "$t(title), $&, $', $1",
  ',,,;;;q=;q=-1,-,--',
  'xx;q=Infinity, yy;q=NaN, zz;q=1e999',
  `a;${' '.repeat(5000)}q`,
  '\xff\xfe, \x80',
  'x,'.repeat(5000),
]

test('a page in a language that does not exist is the page in English', async (t) => {
  const { hub } = await startHubWithUpstream(t)

  for (const path of PAGES) {
    const plain = await hub.anonymous.get(path)
    assert.equal(plain.status, 200, path)
    for (const language of HOSTILE_LANGUAGES) {
      const accepted = await get(hub.url, path, `Accept-Language: ${language}\r\n`)
      assert.deepEqual([accepted.status, accepted.text], [200, plain.text], `${path} ${language.slice(0, 40)}`)

      const query = `${path.includes('?') ? '&' : '?'}lang=${encodeURIComponent(language.slice(0, 1000))}`
      const chosen = await get(hub.url, path + query)
      assert.deepEqual([chosen.status, /<html lang="(.*?)"/.exec(chosen.text)?.[1]], [200, 'en'], path + query)
      assert.doesNotMatch(chosen.text, /<script>alert|undefined/)
    }
  }
})

test('of two languages that are chosen the first counts, and of two headers both', async (t) => {
  const { hub } = await startHubWithUpstream(t)

  for (const path of PAGES) {
    const query = `${path}${path.includes('?') ? '&' : '?'}lang=pt-BR&lang=es`
    const chosen = await get(hub.url, query, 'Accept-Language: es\r\n')
    assert.match(chosen.text, /<html lang="pt-BR"/, path)
    const accepted = await get(hub.url, path, 'Accept-Language: xx\r\nAccept-Language: es\r\n')
    assert.match(accepted.text, /<html lang="es"/, path)
  }
})

test('a language with a line break begins no header', async (t) => {
  const { hub } = await startHubWithUpstream(t)

  for (const path of PAGES) {
    const answer = await get(hub.url, `${path}${path.includes('?') ? '&' : '?'}lang=es%0d%0aX-Injected:%201`)
    assert.equal(answer.status, 200, path)
    assert.equal(answer.headers.get('x-injected'), null)
  }
})

function get(url: string, path: string, headers = '') {
  return sendRaw(url, Buffer.from(`GET ${path} HTTP/1.1\r\nHost: hub\r\n${headers}Connection: close\r\n\r\n`, 'latin1'))
}
