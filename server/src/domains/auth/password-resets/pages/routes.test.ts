import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Answer } from '../../../../../test/client.ts'
import { postForm, readPageText } from '../../../../../test/forms.ts'
import { PASSWORD, startHub, type TestHub } from '../../../../../test/hub.ts'
import { readLinkToken, startMailServer } from '../../../../../test/mail-server.ts'
import { newToken } from '../../../../kernel/crypto/tokens.ts'

const NEW_PASSWORD = 'another horse, another battery'
const PORTUGUESE = { 'accept-language': 'pt-BR' }

async function startHubWithMail(t: TestContext) {
  const server = await startMailServer(t)
  const started = await startHub(t, { env: { ...server.env, TRUSTED_PROXIES: '127.0.0.1/32' } })
  // Each test has its own address, because the number per address is limited.
  const ip = `10.${[...randomBytes(3)].join('.')}`
  const hub = { ...started, ip, anonymous: started.anonymous.with({ 'x-forwarded-for': ip }) }
  /** Requests a link on the page, and returns the path of the page of the link. */
  async function receivePath(email: string): Promise<string> {
    const next = server.mails.length + 1
    const requested = await postForm(hub.anonymous, '/forgot-password', { email })
    assert.equal(requested.status, 202)
    return `/reset-password/${readLinkToken(await server.receive(next))}`
  }
  return { hub, server, receivePath }
}

function redeem(hub: TestHub, path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return postForm(hub.anonymous, path, { password: NEW_PASSWORD, repeat: NEW_PASSWORD, ...fields }, headers)
}

function assertPage(page: Answer, status: number, title: RegExp): void {
  assert.equal(page.status, status, page.text)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.match(/<h1>(.*)<\/h1>/.exec(page.text)?.[1] ?? '', title)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'self'; .*form-action 'self'; frame-ancestors 'none'$/)
  assert.deepEqual(page.text.match(/(?:src|href)="\/[^"]*\.\w+"/g), ['href="/assets/page.css"'])
  assert.doesNotMatch(page.text, /<script|style=|undefined/)
}

test('a person requests a link and sets a new password on two pages that need no script', {
  rules: ['page.password-pages-need-no-script', 'page.names-cannot-reorder-words'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person()

  const forgot = await hub.anonymous.get('/forgot-password')
  const sent = await postForm(hub.anonymous, '/forgot-password', { email: ` ${ana.email.toUpperCase()} ` })
  const path = `/reset-password/${readLinkToken(await server.receive(1))}`
  const page = await hub.anonymous.get(path)
  const done = await redeem(hub, path)
  const style = await hub.anonymous.get('/assets/page.css')

  assertPage(forgot, 200, /Forgot your password\?/)
  assertPage(sent, 202, /Check your e-mail/)
  assertPage(page, 200, /Set a new password/)
  assert.match(page.text, new RegExp(`<input type="email" autocomplete="username" readonly value="${ana.email}">`))
  assertPage(done, 200, /Your password was changed/)
  assert.match(done.text, /<a href="\/sign-in">Sign in<\/a>/)
  assert.equal(style.status, 200)
  const signedIn = await hub.anonymous.post('/console/sign-in', { email: ana.email, password: NEW_PASSWORD })
  assert.equal(signedIn.status, 200)
  assert.equal((await ana.get('/console/session')).status, 401)
})

test('the pages are in the language of the browser, or in the one that is chosen', {
  rules: ['page.password-pages-need-no-script'],
}, async (t) => {
  const { hub, server, receivePath } = await startHubWithMail(t)
  const ana = await hub.person()
  const path = await receivePath(ana.email)

  assertPage(await hub.anonymous.get('/forgot-password', { headers: PORTUGUESE }), 200, /Esqueceu sua senha\?/)
  assertPage(await hub.anonymous.get('/forgot-password?lang=en', { headers: PORTUGUESE }), 200, /Forgot/)
  assertPage(await hub.anonymous.get(`${path}?lang=pt-BR`), 200, /Defina uma nova senha/)
  const wrong = await redeem(hub, `${path}?lang=pt-BR`, { repeat: 'x' })
  assertPage(wrong, 400, /Defina uma nova senha/)
  assert.match(wrong.text, /role="alert">As duas senhas são diferentes/)
  await postForm(hub.anonymous, '/forgot-password?lang=pt-BR', { email: ana.email })
  assert.match((await server.receive(2)).text, /Para defini-la, abra este link/)
})

test('a known and an unknown e-mail get the same page', {
  rules: ['password.reset-answers-alike', 'page.password-pages-need-no-script'],
}, async (t) => {
  const { hub } = await startHubWithMail(t)
  const ana = await hub.person()

  const known = await postForm(hub.anonymous, '/forgot-password', { email: ana.email })
  const unknown = await postForm(hub.anonymous, '/forgot-password', { email: 'unknown@example.com' })

  assert.equal(known.text, unknown.text)
  assert.deepEqual([known.status, unknown.status], [202, 202])
})

test('without mail settings the page names the command of the operator', {
  rules: ['password.reset-needs-mail', 'page.password-pages-need-no-script'],
}, async (t) => {
  const hub = await startHub(t)

  const page = await hub.anonymous.get('/forgot-password')
  const posted = await postForm(hub.anonymous, '/forgot-password', { email: 'ana@example.com' })

  assertPage(page, 200, /Forgot your password\?/)
  for (const { text } of [page, posted]) {
    assert.match(text, /npm run admin -- reset-password --email EMAIL/)
    assert.doesNotMatch(text, /<form/)
  }
  assert.equal(posted.status, 404)
})

test('a text that is no e-mail shows the form again with the text escaped', {
  rules: ['page.never-repeats-a-password'],
}, async (t) => {
  const { hub } = await startHubWithMail(t)

  const refused = await postForm(hub.anonymous, '/forgot-password', { email: '"><script>alert(1)</script>' })

  assertPage(refused, 400, /Forgot your password\?/)
  assert.match(refused.text, /role="alert">Enter a whole e-mail address/)
  assert.match(refused.text, /aria-invalid="true" aria-describedby="problem" autofocus/)
})

test('a weak password or two that differ show the form again, without the password, and the link still works', {
  rules: ['password.has-8-to-200-characters', 'page.never-repeats-a-password'],
}, async (t) => {
  const { hub, receivePath } = await startHubWithMail(t)
  const ana = await hub.person()
  const path = await receivePath(ana.email)

  const short = await redeem(hub, path, { password: 'hunter2', repeat: 'hunter2' })
  const long = await redeem(hub, path, { password: 'x'.repeat(201), repeat: 'x'.repeat(201) })
  const different = await redeem(hub, path, { repeat: 'hunter22' })

  for (const page of [short, long]) assert.match(page.text, /role="alert">Choose a password of 8 to 200 characters/)
  assert.match(different.text, /role="alert">The two passwords differ/)
  for (const page of [short, long, different]) {
    assertPage(page, 400, /Set a new password/)
    assert.doesNotMatch(page.text, /hunter2|xxxx|another horse/)
  }
  assertPage(await redeem(hub, path), 200, /Your password was changed/)
})

test('a link that is unknown, used or expired has a page that says so and leads to another link', {
  rules: ['password.reset-link-works-once', 'page.never-repeats-a-password'],
}, async (t) => {
  const { hub, receivePath } = await startHubWithMail(t)
  const ana = await hub.person()
  const used = await receivePath(ana.email)
  await redeem(hub, used)
  const expired = await receivePath(ana.email)
  await hub.clock.advance('1 hour')

  const pages: [string, number, RegExp][] = [
    [`/reset-password/${newToken('password_reset')}`, 404, /Nothing here/],
    ['/reset-password/nonsense', 404, /Nothing here/],
    [used, 410, /This link was used already/],
    [expired, 410, /This link no longer works/],
  ]
  for (const [path, status, title] of pages) {
    for (const page of [
      await hub.anonymous.get(path),
      await redeem(hub, path),
      await redeem(hub, path, { repeat: '' }),
    ]) {
      assertPage(page, status, title)
      assert.match(page.text, /<a href="\/forgot-password\?lang=en">Request another link<\/a>/)
    }
  }
})

test('a request past its limit has a page with Retry-After', {
  rules: ['password.reset-is-limited', 'page.never-repeats-a-password'],
}, async (t) => {
  const { hub } = await startHubWithMail(t)
  const request = (headers = {}) => postForm(hub.anonymous, '/forgot-password', { email: 'many@example.com' }, headers)
  for (let i = 0; i < 5; i++) await request()

  const refused = await request()

  assertPage(refused, 429, /Too many attempts/)
  assertPage(await request(PORTUGUESE), 429, /Tentativas demais/)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
})

test('an address past the limit of public routes gets a page with its style', async (t) => {
  const { hub } = await startHubWithMail(t)
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('public', ${hub.ip}, 1000, hub_now() + interval '1 minute')`

  assertPage(await hub.anonymous.get('/forgot-password'), 429, /Too many attempts/)
})

test('a form of another site, of no site and of another type is refused', {
  rules: ['page.foreign-form-is-403'],
}, async (t) => {
  const { hub, receivePath } = await startHubWithMail(t)
  const ana = await hub.person()
  const path = await receivePath(ana.email)

  for (const origin of ['https://evil.example', 'null']) {
    assertPage(await redeem(hub, path, {}, { origin }), 403, /Open the page again/)
    const requested = await postForm(hub.anonymous, '/forgot-password', { email: ana.email }, { origin })
    assertPage(requested, 403, /Open the page again/)
  }
  assertPage(await redeem(hub, path, {}, { 'content-type': 'application/json' }), 415, /That did not work/)
  assertPage(await redeem(hub, path, { extra: '1' }), 400, /That did not work/)
  assertPage(await redeem(hub, path, { password: `a\0${NEW_PASSWORD}` }), 400, /That did not work/)
  assertPage(await redeem(hub, path, { password: 'x'.repeat(20_000) }), 413, /That did not work/)
  const signedIn = await hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD })
  assert.equal(signedIn.status, 200)
})

test('the pages send their origin and no path to other addresses, and no link is in the log', {
  rules: ['password.reset-token-is-a-hash', 'page.foreign-form-is-403'],
}, async (t) => {
  const { hub, receivePath } = await startHubWithMail(t)
  const ana = await hub.person()
  const path = await receivePath(ana.email)

  const page = await hub.anonymous.get(path)
  const prefetched = await hub.anonymous.send('HEAD', path)
  await redeem(hub, path, { repeat: 'x' })

  assert.equal(page.headers.get('referrer-policy'), 'strict-origin')
  assert.equal(prefetched.status, 200)
  assert.ok(!hub.logs.join('').includes(path.split('/').at(-1) ?? ''))
  assert.equal((await redeem(hub, path)).status, 200)
  assert.match(readPageText(await redeem(hub, path)), /was used already/)
})
