import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ConfigError } from '../../kernel/env.ts'
import { readConfig } from './config.ts'

const DATABASE = {
  DATABASE_URL: 'postgres://hub:planted-password@db/hub',
  SEALING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
}
const UPSTREAM = {
  UPSTREAM_URL: 'https://graph.example.com/',
  UPSTREAM_APP_ID: '1',
  UPSTREAM_APP_SECRET: 'planted-secret',
  UPSTREAM_CONFIG_ID: '2',
  UPSTREAM_VERIFY_TOKEN: 'planted-token',
}
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_planted', STRIPE_WEBHOOK_SECRET: 'whsec_planted' }

function listProblems(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env)
    return []
  } catch (err) {
    assert.ok(err instanceof ConfigError)
    assert.ok(!err.message.includes('planted'), 'a message holds a secret')
    return err.problems
  }
}

for (const role of ['api', 'worker']) {
  test(`ROLE=${role} requires DATABASE_URL and UPSTREAM_URL`, { rules: ['config.single-roles-need-urls'] }, () => {
    assert.deepEqual(listProblems({ ROLE: role }), [
      `DATABASE_URL is required with ROLE=${role}`,
      `UPSTREAM_URL is required with ROLE=${role}`,
    ])
    assert.deepEqual(listProblems({ ROLE: role, ...DATABASE }), [`UPSTREAM_URL is required with ROLE=${role}`])
    assert.deepEqual(listProblems({ ROLE: role, ...UPSTREAM }), [`DATABASE_URL is required with ROLE=${role}`])
    assert.deepEqual(listProblems({ ROLE: role, ...DATABASE, ...UPSTREAM }), [])
  })
}

test('ROLE=callbacks requires the cells, and of the app its secret and its verify token', {
  rules: ['cell.forwarding-needs-no-database', 'cell.cells-are-https'],
}, () => {
  const CELLS = 'https://br01.example.com,https://us02.example.com'
  const app = { UPSTREAM_APP_SECRET: 'planted-secret', UPSTREAM_VERIFY_TOKEN: 'planted-token' }

  assert.deepEqual(listProblems({ ROLE: 'callbacks' }), [
    'CELLS is required with ROLE=callbacks',
    'UPSTREAM_APP_SECRET is required with ROLE=callbacks',
    'UPSTREAM_VERIFY_TOKEN is required with ROLE=callbacks',
  ])
  assert.deepEqual(listProblems({ ROLE: 'callbacks', CELLS, ...app }), [])
  assert.deepEqual(listProblems({ ROLE: 'callbacks', CELLS, ...app, PUBLIC_URL: 'https://us02.example.com/' }), [
    'CELLS must not have PUBLIC_URL: this process would send callbacks to itself',
  ])
  assert.deepEqual(listProblems({ CELLS }), [
    'CELLS needs ROLE=callbacks: a process of another role sends no callbacks to other cells',
  ])
  const askFor = (cells: string) => listProblems({ ROLE: 'callbacks', ...app, CELLS: cells })
  assert.deepEqual(askFor('https://a.example.com, https://A.example.com/'), ['CELLS must name each cell once'])
  assert.deepEqual(askFor('https://10.0.0.1,http://127.0.0.1:8080,http://[::1]:8080,http://localhost:8081'), [])
  for (const insecure of ['http://br01.example.com', 'http://10.0.0.1:8080']) {
    assert.deepEqual(askFor(insecure), [`CELLS: ${insecure} must begin with https://, except on a loopback address`])
  }
  for (const near of ['https://169.254.169.254', 'https://[fe80::1]', 'https://[::ffff:a9fe:1]']) {
    assert.deepEqual(askFor(near), [`CELLS: ${near} is a link-local or metadata address, which is never allowed`])
  }
})

test('ROLE=all accepts a database, an upstream, both or none', () => {
  for (const env of [{}, DATABASE, UPSTREAM, { ...DATABASE, ...UPSTREAM }]) assert.deepEqual(listProblems(env), [])
})

// Keys that one process generates would seal what no other process can open.
test('DATABASE_URL requires SEALING_KEYS', { rules: ['config.sealing-keys-are-32-bytes'] }, () => {
  assert.deepEqual(listProblems({ ...DATABASE, SEALING_KEYS: undefined }), [
    'SEALING_KEYS is required with DATABASE_URL',
  ])
  assert.deepEqual(listProblems({ ...DATABASE, SEALING_KEYS: 'k1:planted' }), [
    'SEALING_KEYS is malformed: key 1 is not of the form id:base64-of-32-bytes',
    'SEALING_KEYS is required with DATABASE_URL',
  ])
})

test('UPSTREAM_URL requires every setting of the app', { rules: ['config.upstream-url-requires-the-app'] }, () => {
  const names = Object.keys(UPSTREAM).slice(1)

  for (const name of names) {
    assert.deepEqual(listProblems({ ...UPSTREAM, [name]: ' ' }), [`${name} is required with UPSTREAM_URL`])
  }
  assert.deepEqual(
    listProblems({ UPSTREAM_URL: UPSTREAM.UPSTREAM_URL }),
    names.map((name) => `${name} is required with UPSTREAM_URL`),
  )
})

test('UPSTREAM_URL loses a slash at its end', () => {
  const { upstream } = readConfig(UPSTREAM)

  assert.equal(upstream.url, 'https://graph.example.com')
})

test('billing is off by default with a real upstream', { rules: ['config.billing-follows-the-upstream'] }, () => {
  assert.equal(readConfig(UPSTREAM).billing, 'off')
  assert.equal(readConfig({}).billing, 'sandbox')
})

// Any client that can reach a simulated payment page could get quota for real messages.
test('simulated payments with a real upstream require a loopback PUBLIC_URL', {
  rules: ['config.sandbox-billing-is-local'],
}, () => {
  const refused = ['BILLING=sandbox with UPSTREAM_URL is allowed only if PUBLIC_URL is a loopback address']
  const open = ['https://hub.example.com', 'http://10.0.0.1', 'http://0.0.0.0', 'http://localhost.example.com']
  const local = ['http://localhost:8080', 'http://127.0.0.1', 'http://127.1:9000', 'http://[::1]:8080']
  const withUrl = (url: string) => ({ ...UPSTREAM, BILLING: 'sandbox', PUBLIC_URL: url })

  for (const url of open) assert.deepEqual(listProblems(withUrl(url)), refused, url)
  for (const url of local) assert.deepEqual(listProblems(withUrl(url)), [], url)
  assert.deepEqual(listProblems({ ...UPSTREAM, BILLING: 'sandbox' }), [])
  assert.deepEqual(listProblems({ BILLING: 'sandbox', PUBLIC_URL: 'https://hub.example.com' }), [])
})

test('a sandbox that others can reach lets nobody sign up unless SIGN_UP is set', {
  rules: ['config.open-sandbox-is-local'],
}, () => {
  const PUBLIC_URL = 'http://192.168.1.20:8080'

  assert.equal(readConfig({}).signUp, 'open')
  assert.equal(readConfig({ PUBLIC_URL }).signUp, 'closed')
  assert.equal(readConfig({ PUBLIC_URL, SIGN_UP: 'open' }).signUp, 'open')
  assert.equal(readConfig({ ...UPSTREAM, PUBLIC_URL }).signUp, 'open')
})

test('BILLING=stripe requires both keys of the provider', () => {
  assert.deepEqual(listProblems({ BILLING: 'stripe' }), [
    'STRIPE_SECRET_KEY is required with BILLING=stripe',
    'STRIPE_WEBHOOK_SECRET is required with BILLING=stripe',
  ])
  assert.deepEqual(listProblems({ BILLING: 'stripe', ...STRIPE, STRIPE_SECRET_KEY: '' }), [
    'STRIPE_SECRET_KEY is required with BILLING=stripe',
  ])
  assert.deepEqual(listProblems({ BILLING: 'stripe', ...STRIPE }), [])
})

test('missing settings and invalid values are reported together', () => {
  const problems = listProblems({ ROLE: 'api', BILLING: 'stripe', PORT: 'x', STRIPE_X: '1', UPSTREAM_URL: 'planted' })

  assert.deepEqual(problems.sort(), [
    'DATABASE_URL is required with ROLE=api',
    'PORT must be a whole number from 0 to 65535',
    'STRIPE_SECRET_KEY is required with BILLING=stripe',
    'STRIPE_WEBHOOK_SECRET is required with BILLING=stripe',
    'STRIPE_X is not a variable of Hubline',
    'UPSTREAM_URL is required with ROLE=api',
    'UPSTREAM_URL must be a URL beginning with http:// or https://',
  ])
})
