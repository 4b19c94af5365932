import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { installErrorHandler } from '../../kernel/http/error-handler.ts'
import { installNotFound } from '../../kernel/http/not-found.ts'
import { loadDashboard } from './dashboard.ts'
import { DASHBOARD_PAGES } from './dashboard-addresses.ts'

const SCRIPT = 'console.log("the dashboard")'

/** A server with a dashboard of two files, as a build leaves them. */
async function serveBuild(t: TestContext, { isBuilt = true } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-dashboard-'))
  const app = Fastify()
  t.after(async () => {
    await app.close()
    await rm(directory, { recursive: true })
  })
  if (isBuilt) {
    await mkdir(join(directory, 'assets'))
    await writeFile(join(directory, 'index.html'), '<meta name="csp-nonce" content="%CSP_NONCE%">')
    await writeFile(join(directory, 'assets/index-abc.js'), SCRIPT)
    await writeFile(join(directory, 'secret.txt'), 'not an asset')
  }
  const { routes, notFoundPage } = await loadDashboard(directory)
  installErrorHandler(app)
  installNotFound(app, notFoundPage)
  await app.register(routes)
  return app
}

test('every address of the dashboard answers with its page, under a policy with a nonce of its own', async (t) => {
  const app = await serveBuild(t)
  const addresses = DASHBOARD_PAGES.map((path) => path.replace('*', '01a1e042/anything'))

  const pages = await Promise.all(addresses.map((url) => app.inject({ url })))

  const nonces = pages.map(({ body }) => /content="([\w-]{22})"/.exec(body)?.[1])
  assert.equal(new Set(nonces).size, addresses.length)
  for (const [position, { statusCode, headers }] of pages.entries()) {
    assert.equal(statusCode, 200)
    assert.equal(headers['cache-control'], 'no-cache')
    const policy = String(headers['content-security-policy'])
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonces[position]}'`))
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  }
})

test('a browser keeps an asset for a year, and gets it compressed', async (t) => {
  const app = await serveBuild(t)

  const plain = await app.inject({ url: '/assets/index-abc.js' })
  const gzipped = await app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': 'br, gzip' } })

  assert.equal(plain.body, SCRIPT)
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(gzipped.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(gzipped.rawPayload).toString(), SCRIPT)
})

test('only files of the build are assets', async (t) => {
  const app = await serveBuild(t)

  for (const name of ['../secret.txt', '..%2fsecret.txt', '%2e%2e%2fsecret.txt', 'missing.js', '.', 'constructor']) {
    const { statusCode } = await app.inject({ url: `/assets/${name}` })
    assert.notEqual(statusCode, 200, name)
  }
})

test('a hub without a build says how to make one, and that the API is there', async (t) => {
  const app = await serveBuild(t, { isBuilt: false })

  const page = await app.inject({ url: '/channels' })

  assert.equal(page.statusCode, 503)
  assert.match(page.body, /npm run build[\s\S]*\/openapi\.json/)
})

test('only a browser at an unknown address gets the page with 404', {
  rules: ['error.absent-and-foreign-are-404'],
}, async (t) => {
  const app = await serveBuild(t)
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const inject = (method: 'GET' | 'POST', url: string, headers: Record<string, string>) =>
    app.inject({ method, url, headers })

  for (const path of ['/nowhere', '/nowhere/below?text=1', '/billing/nothing', '/apiary']) {
    const { statusCode, body } = await inject('GET', path, { accept })
    assert.equal(statusCode, 404, path)
    assert.match(body, /csp-nonce/, path)
  }
  for (const path of ['/api', '/api?a=1', '/api/v1/nothing', '/console/nothing', '/upstream/nothing', '/assets/a/b']) {
    const { statusCode, body } = await inject('GET', path, { accept })
    assert.deepEqual([statusCode, JSON.parse(body).error.code], [404, 'NOT_FOUND'], path)
  }
  const answers = [
    await inject('GET', '/nowhere', { accept: '*/*' }),
    await inject('GET', '/nowhere', {}),
    await inject('POST', '/nowhere', { accept }),
    await inject('POST', '/channels', { accept }),
  ]
  assert.deepEqual(
    answers.map(({ body }) => JSON.parse(body).error.code),
    ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'METHOD_NOT_ALLOWED'],
  )
})
