import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'

const OUTSIDE = /https?:|["'(=]\s*\/\//

test('the reference and its assets need no credential', { rules: ['api.openapi-and-docs-are-public'] }, async (t) => {
  const { anonymous } = await startHub(t)

  const page = await anonymous.get('/docs')
  const assets = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  const answers = await Promise.all(assets.map((path) => anonymous.get(path)))

  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.deepEqual(assets, ['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/start.js', '/openapi.json'])
  for (const [index, answer] of answers.entries()) {
    assert.equal(answer.status, 200, assets[index])
    assert.ok(answer.text.length > 100, assets[index])
  }
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('content-type')),
    ['text/css', 'text/javascript', 'text/javascript', 'application/json'].map((type) => `${type}; charset=utf-8`),
  )
})

test('the reference loads nothing from other hosts, and its policy forbids it', async (t) => {
  const { anonymous } = await startHub(t)

  const [page, start] = [await anonymous.get('/docs'), await anonymous.get('/docs/start.js')]

  assert.doesNotMatch(page.text, OUTSIDE)
  assert.doesNotMatch(start.text, OUTSIDE)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; /)
  for (const directive of policy.split('; ')) {
    const [name, ...sources] = directive.split(' ')
    assert.ok(
      sources.every((source) => ["'none'", "'self'", "'unsafe-inline'", 'data:'].includes(source)),
      name,
    )
  }
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/)
})

test("the start script is valid JavaScript that loads this hub's OpenAPI document", async (t) => {
  const { anonymous } = await startHub(t)
  const { text } = await anonymous.get('/docs/start.js')
  const bundle = Object.assign((options: { url: string }) => asked.push(options.url), { presets: { apis: {} } })
  const asked: string[] = []

  new Function('SwaggerUIBundle', text)(bundle)

  assert.deepEqual(asked, ['/openapi.json'])
})

test('only the listed assets are served', async (t) => {
  const { anonymous } = await startHub(t)

  for (const path of ['/docs/', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/swagger-ui-bundle.js.map']) {
    assert.equal((await anonymous.get(path)).status, 404, path)
  }
})

test('a browser keeps the OpenAPI document, the reference and the assets of pages, and gets 304 while they are the same', async (t) => {
  const { anonymous } = await startHub(t)
  const assets = ['/docs/swagger-ui-bundle.js', '/connect/assets/connect.js', '/assets/page.css', '/assets/inter.woff2']

  for (const path of ['/openapi.json', '/docs', ...assets]) {
    const first = await anonymous.get(path)
    const etag = first.headers.get('etag') ?? ''
    const again = await anonymous.get(path, { headers: { 'if-none-match': `"other", W/${etag}` } })
    const changed = await anonymous.get(path, { headers: { 'if-none-match': '"other"' } })

    assert.deepEqual(
      [first.status, first.headers.get('cache-control'), again.status, again.text, changed.text],
      [200, 'public, no-cache', 304, '', first.text],
      path,
    )
    assert.equal(again.headers.get('content-security-policy'), first.headers.get('content-security-policy'), path)
  }
})
