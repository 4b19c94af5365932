import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Extension } from '../src/app/http/http.ts'
import { newId } from '../src/kernel/ids.ts'
import { perMinute } from '../src/kernel/rate-limit/limit.ts'
import { type Answer, type Client, createClient } from './client.ts'
import { bearer, ORIGIN, readCookies, startHub, type TestHub } from './hub.ts'
import { listEncodings } from './stored-secrets.ts'

const PASSWORD = 'canary-password-one'
const NEW_PASSWORD = 'canary-password-two'
const PHONE = '5511987654321'

type Shown = { answer: Answer; secrets: string[] }

/** A route that fails like a driver or a library, with its input in the message. */
const FAILING: Extension = {
  access: { 'GET /api/v1/fails': { scope: 'audit:read' } },
  limit: perMinute('test', 100),
  routes: async (app) => {
    app.get('/fails', { schema: { hide: true } }, async ({ headers }) => {
      const cause = new Error(`to +${PHONE} with ${headers.authorization}`)
      throw Object.assign(new Error(`Could not send to ${PHONE} (${headers.authorization})`, { cause }), {
        recipient: PHONE,
        headers,
      })
    })
  },
}

/** Uses every part of the hub, with and without mistakes. Returns the secrets that one response shows, and the others. */
async function useBroadly(hub: TestHub, anonymous: Client): Promise<{ shown: Shown[]; unshown: string[] }> {
  const shown: Shown[] = []
  const unshown = [PASSWORD, NEW_PASSWORD, PHONE]
  const show = (answer: Answer, ...secrets: string[]) => void shown.push({ answer, secrets })
  const email = `${newId()}@example.com`
  const generateCode = (secret: string) => new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })

  const signUp = { name: 'Ana', email, password: PASSWORD, organization_name: 'Acme' }
  const signedUp = await anonymous.post('/console/sign-up', signUp)
  const cookie = readCookies(signedUp.headers)
  unshown.push(readSessionToken(signedUp))
  await anonymous.post('/console/sign-up', signUp)
  const ana = anonymous.with({ cookie, origin: ORIGIN })

  const created = await ana.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read', 'api_keys:read'] })
  const { secret: key, api_key } = created.body.data
  show(created, key)
  const invited = await ana.post('/console/invitations', { email: `${newId()}@example.com`, role: 'viewer' })
  const invitation = invited.body.data.invitation_url.split('/').at(-1)
  show(invited, invitation)
  const begun = await ana.post('/console/totp', { password: PASSWORD })
  const { secret } = begun.body.data
  show(begun, secret)
  const confirmed = await ana.post('/console/totp/confirm', { code: generateCode(secret) })
  const [recovery = '', ...others] = confirmed.body.data.recovery_codes as string[]
  show(confirmed, recovery, ...others)

  await useKey(anonymous, key)
  await failWith(anonymous, { email, key, invitation })
  await ana.get('/console/sessions')
  await ana.get('/console/members')
  await ana.get('/console/invitations')
  await ana.post('/console/totp', { password: PASSWORD })
  const signedIn = await anonymous.post('/console/sign-in', { email, password: PASSWORD, totp: recovery })
  unshown.push(readSessionToken(signedIn))
  await anonymous.post('/console/sign-in', { email, password: PASSWORD, totp: recovery })
  await hub.clock.advance('30 seconds')
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD, totp: generateCode(secret) }
  await ana.put('/console/password', change)
  await ana.put('/console/password', change)
  const joined = await anonymous.post(`/console/join/${invitation}`, { name: 'Bob', password: PASSWORD })
  unshown.push(readSessionToken(joined))
  await anonymous.get(`/console/join/${invitation}`)
  await ana.post(`/api/v1/api-keys/${api_key.id}/revoke`)
  await anonymous.get('/api/v1/api-keys', { headers: bearer(key) })
  await ana.get('/api/v1/audit-log?limit=100')
  await ana.post('/console/sign-out')
  await ana.get('/console/session')
  return { shown, unshown }
}

function readSessionToken({ headers }: Answer): string {
  return readCookies(headers).replace('hub_session=', '')
}

async function useKey(anonymous: Client, key: string): Promise<void> {
  const client = anonymous.with(bearer(key))
  await client.get('/api/v1/api-keys')
  await client.get('/api/v1/audit-log')
  const failed = await client.get('/api/v1/fails')
  assert.equal(failed.status, 500)
  await client.post('/api/v1/api-keys', { name: 'more', scopes: ['audit:read'] })
  await client.get(`/api/v1/nowhere/${key}`)
  await client.get('/console/session')
}

/** Requests with a secret in a wrong place. */
async function failWith(anonymous: Client, s: { email: string; key: string; invitation: string }): Promise<void> {
  const json = { 'content-type': 'application/json' }
  await anonymous.get(`/api/v1/api-keys?access_token=${s.key}`)
  await anonymous.get('/api/v1/api-keys', { headers: { authorization: `Basic ${s.key}` } })
  await anonymous.get('/api/v1/api-keys', { headers: bearer(`${s.key}x`) })
  await anonymous.get('/api/v1/api-keys', { headers: { ...bearer(s.key), 'x-hub-organization': s.key } })
  await anonymous.get('/api/v1/api-keys', { headers: { ...bearer(s.key), 'x-request-id': s.key } })
  await anonymous.get(`/console/join/${s.invitation}`)
  await anonymous.get(`/console/join/${s.invitation}x`)
  await anonymous.get(`/console/join/${s.invitation}/${s.key}%zz`)
  await anonymous.post(`/console/join/${s.invitation}`, { password: PASSWORD })
  await anonymous.post('/console/sign-in', { email: s.email, password: NEW_PASSWORD })
  await anonymous.post('/console/sign-in', { email: PASSWORD, password: PASSWORD, totp: PASSWORD.repeat(9) })
  await anonymous.send('POST', '/console/sign-in', { headers: json, raw: `{"password":"${PASSWORD}"` })
  await anonymous.send('POST', '/console/sign-in', { headers: { 'content-type': 'text/plain' }, raw: PASSWORD })
}

/** A response without the cookie, which contains the session token. */
function toText({ text, headers }: Answer): string {
  const rest = [...headers].filter(([name]) => name !== 'set-cookie')
  return `${text}\n${rest.map((header) => header.join(': ')).join('\n')}`
}

test('no log line, audit entry or other response contains a secret or a phone number', {
  rules: ['error.message-reveals-nothing'],
}, async (t) => {
  const hub = await startHub(t, { extension: FAILING })
  const answers: { what: string; answer: Answer }[] = []
  const anonymous = createClient(
    hub.url,
    {},
    (method, path, answer) => void answers.push({ what: `${method} ${path}`, answer }),
  )

  const { shown, unshown } = await useBroadly(hub, anonymous)

  const secrets = [...unshown, ...shown.flatMap((once) => once.secrets)]
  assert.equal(new Set(secrets).size, 19)
  const entries = await hub.sql<{ entry: string }[]>`select e::text as entry from audit_entries e`
  assert.ok(entries.length >= 8)
  assert.ok(hub.logs.length >= answers.length)
  assert.ok(hub.logs.some((line) => line.includes('Could not send')))
  for (const secret of secrets) {
    for (const form of listEncodings(secret)) {
      for (const line of hub.logs) assert.ok(!line.includes(form), `a log line holds ${form}: ${line}`)
      for (const { entry } of entries) assert.ok(!entry.includes(form), `an audit entry holds ${form}: ${entry}`)
    }
    const elsewhere = answers.filter(
      ({ answer }) => !shown.some((once) => once.answer === answer && once.secrets.includes(secret)),
    )
    for (const { what, answer } of elsewhere) {
      assert.ok(!toText(answer).includes(secret), `${what} answered ${secret}: ${toText(answer)}`)
    }
  }
})

test('an internal failure responds only with a request id', async (t) => {
  const hub = await startHub(t, { extension: FAILING })
  const acme = await hub.organization(['audit:read'])

  const failed = await acme.get('/api/v1/fails')

  assert.equal(failed.status, 500)
  assert.deepEqual(failed.body.error, {
    code: 'INTERNAL_ERROR',
    message: 'Something failed on our side. Quote the request_id when you report it.',
    request_id: failed.headers.get('x-request-id'),
    details: { reason: 'internal_error', parameters: {} },
  })
  const line = hub.logs.find((text) => text.includes('Could not send')) ?? ''
  assert.equal(JSON.parse(line).request_id, failed.body.error.request_id)
})
