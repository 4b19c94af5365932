import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { readConfig } from '../config/config.ts'
import { toUpstreamSettings } from '../config/upstream-settings.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ORIGIN = 'http://localhost:8080'
/** Each leads elsewhere in the simulator, if any server on the way decodes or resolves it. */
const FOREIGN_PATHS = [
  '/sandbox',
  '/sandbox/',
  '/sandbox/_sim',
  '/sandbox/_sim/signup',
  '/sandbox/../_sim',
  '/sandbox//_sim',
  '/sandbox/%2e%2e/_sim',
  '/sandbox/c/pay/..',
  '/sandbox/c/pay/../../_sim',
  '/sandbox/c/pay/..%2f..%2f_sim',
  '/sandbox/c/pay/..%252f..%252f_sim',
  '/sandbox/p/session/%2e%2e%2f%2e%2e%2f_sim',
  '/sandbox/i/..%5c..%5c_sim',
  '/sandbox/i/%00',
  '/sandbox/i/a%0d%0aX-Injected:%201',
  '/sandbox/i/@127.0.0.1',
  '/sandbox/v1/customers',
  '/sandbox/v25.0/me',
  '/sandbox/signup/..%2faccounts',
  '/sandbox/signup%2f..%2faccounts',
]

test('in the sandbox the sign-up page is at the address of the hub, with its form and its style sheet', {
  rules: ['sandbox.pages-are-at-the-hub'],
}, async (t) => {
  const { hub, up } = await startHubWithUpstream(t)

  const page = await hub.anonymous.get(`/sandbox/signup?opener_origin=${ORIGIN}&lang=pt-BR`)
  assert.equal(page.status, 200)
  assert.match(page.text, /<html lang="pt-BR">/)
  assert.match(page.text, /<form method="post" action="\/sandbox\/signup">/)
  assert.match(page.text, /<link rel="stylesheet" href="\/assets\/page\.css">/)
  assert.doesNotMatch(page.text, /_sim/)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*frame-ancestors 'none'$/)
  assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups')

  const raw = new URLSearchParams({ opener_origin: ORIGIN, number: 'new', business_name: 'Açaí', outcome: 'finish' })
  const done = await hub.anonymous.send('POST', '/sandbox/signup', { headers: FORM, raw: raw.toString() })
  assert.equal(done.status, 200, done.text)
  assert.match(done.text, /const messages = \[.*phone_number_id/)
  assert.match(JSON.stringify(await up.simulator.control('GET', '/accounts')), /Açaí/)
})

test('with a real upstream, and for a page that does not exist, the answer is 404', {
  rules: ['sandbox.pages-are-at-the-hub'],
}, async (t) => {
  const { hub: sandbox } = await startHubWithUpstream(t)
  const config = readConfig({
    UPSTREAM_URL: 'https://graph.example.com',
    UPSTREAM_APP_ID: '1234567890',
    UPSTREAM_APP_SECRET: 'secret',
    UPSTREAM_CONFIG_ID: '987654321',
    UPSTREAM_VERIFY_TOKEN: 'verify',
  })
  const real = await startHub(t, { installation: { upstream: toUpstreamSettings(config) } })

  assert.equal((await real.anonymous.get('/sandbox/signup')).status, 404)
  for (const path of ['/sandbox/c/pay/cs_test_none', '/sandbox/p/session/test_none', '/sandbox/i/in_none']) {
    assert.equal((await sandbox.anonymous.get(path)).status, 404, path)
  }
})

test('below /sandbox no other path of the simulator can be reached, in any spelling', {
  rules: ['sandbox.pages-reach-nothing-else'],
}, async (t) => {
  const { hub, up } = await startHubWithUpstream(t)
  const before = await up.simulator.control('GET', '/accounts')

  for (const path of FOREIGN_PATHS) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const { status, headers, text } = await sendRaw(hub.url, method, path)
      assert.ok([400, 404, 405].includes(status), `${method} ${path}: ${status} ${text}`)
      assert.equal(headers['x-injected'], undefined)
    }
  }
  assert.deepEqual(await up.simulator.control('GET', '/accounts'), before)
})

test('neither cookies nor credentials nor the host of a request reach the pages, which set no cookie', {
  rules: ['sandbox.pages-reach-nothing-else'],
}, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const headers = { host: 'evil.example', cookie: 'session=secret-of-ana', authorization: 'Bearer hub_pk_x' }

  const page = await sendRaw(hub.url, 'GET', `/sandbox/signup?opener_origin=${ORIGIN}`, headers)

  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /evil|secret-of-ana|hub_pk_x/)
  assert.equal(page.headers['set-cookie'], undefined)
})

test('a form of another site and one that is too large are refused before the simulator has them', {
  rules: ['sandbox.pages-reach-nothing-else'],
}, async (t) => {
  const { hub, up } = await startHubWithUpstream(t)
  const before = await up.simulator.control('GET', '/accounts')
  const raw = `opener_origin=${ORIGIN}&number=new&outcome=finish`
  const post = (more: Record<string, string>, body: string) =>
    hub.anonymous.send('POST', '/sandbox/signup', { headers: { ...FORM, ...more }, raw: body })

  assert.equal((await post({ origin: 'https://evil.example' }, raw)).status, 403)
  assert.equal((await post({}, `${raw}&business_name=${'x'.repeat(20_000)}`)).status, 413)
  assert.equal((await post({ 'content-type': 'application/json' }, '{}')).status, 415)
  assert.deepEqual(await up.simulator.control('GET', '/accounts'), before)
})

/** The path as it is: other clients resolve it first. */
function sendRaw(url: string, method: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(url)
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    sent.once('error', reject).end()
  })
}
