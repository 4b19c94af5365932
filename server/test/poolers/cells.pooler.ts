import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { request as send } from 'undici'
import { buyPlan } from '../../src/app/commands/billing-commands.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { startForwarding } from '../../src/app/forwarding.ts'
import { newToken } from '../../src/kernel/crypto/tokens.ts'
import type { Pool } from '../../src/kernel/db/pool.ts'
import { createLogger } from '../../src/kernel/logger.ts'
import { cellVariables, readCallbackUrl } from '../cells.ts'
import { createClient } from '../client.ts'
import { cloneTemplate, type TestDatabase } from '../database.ts'
import { bearer, startHub } from '../hub.ts'
import { createChannel, createLink } from '../hub-with-upstream.ts'
import { freePort, newDirectory } from '../journeys/processes.ts'
import { type MailServer, readLink, startMailServer } from '../mail-server.ts'
import { connectWithToken } from '../relay.ts'
import { startUpstream, type Upstream } from '../upstream.ts'
import { readEnvoyProgram, startEdge } from './haproxy.ts'
import { findMissing, findProgram } from './programs.ts'

const skip = await findMissing('haproxy', process.env.HAPROXY_PATH)
const MARKS = ['br01', 'us02'] as const
type Mark = (typeof MARKS)[number]

const databases: Promise<TestDatabase>[] = []
after(async () => {
  for (const database of databases) await (await database).drop()
})

/** A cell with an organization, its owner and a connected channel. */
async function startCell(t: TestContext, mark: Mark, { up, mail }: { up: Upstream; mail: MailServer }) {
  const cloned = cloneTemplate()
  databases.push(cloned)
  const database = await cloned
  const cell = await cellVariables(mark)
  const variables: Record<string, string> = { ...cell, ...mail.env, TRUSTED_PROXIES: '127.0.0.1' }
  const start = () => startHub(t, { env: variables, database, simulator: up.simulator })
  // As the installation was before CELL was set.
  const unmarked = await startHub(t, { database, simulator: up.simulator })
  const { key: unmarkedKey } = await unmarked.organization()
  await unmarked.stop()

  const hub = await start()
  const acme = await hub.organization()
  const { organizationId } = acme
  await buyPlan(hub.context, organizationId, 'starter')
  const person = await hub.person({ organizationId, role: 'owner' })
  const owner = { ...person, ...person.with({ origin: variables.PUBLIC_URL ?? '' }) }
  const channel = await createChannel(acme)
  const number = await up.number()
  const connected = await connectWithToken(acme, channel.id, number)
  assert.equal(connected.status, 200, connected.text)
  const port = Number(variables.PORT)
  return { mark, hub, start, database, sql: database.sql, acme, owner, channel, number, unmarkedKey, port }
}

type Cell = Awaited<ReturnType<typeof startCell>>

/** Two cells, the process of their callbacks, and HAProxy with the configuration of the guide. */
async function startCells(t: TestContext) {
  const [up, mail] = [await startUpstream(t), await startMailServer(t)]
  const br01 = await startCell(t, 'br01', { up, mail })
  const us02 = await startCell(t, 'us02', { up, mail })
  const { appSecret, verifyToken } = up.simulator
  const callbacks = await freePort()
  const config = readConfig({
    ROLE: 'callbacks',
    CELLS: `${br01.hub.url},${us02.hub.url}`,
    PORT: String(callbacks),
    DRAIN_SECONDS: '0',
    UPSTREAM_APP_SECRET: appSecret,
    UPSTREAM_VERIFY_TOKEN: verifyToken,
  })
  const forwarding = await startForwarding(config, { logger: createLogger('silent', {}) })
  t.after(() => forwarding.stop())
  await up.simulator.control('PUT', '/callback', { url: `${forwarding.url}/hooks/upstream`, verify_token: verifyToken })
  const exceptions = { [createHash('sha256').update(us02.unmarkedKey).digest('hex')]: 'us02' }
  const edge = await startEdge(t, { ports: { br01: br01.port, us02: us02.port, callbacks }, exceptions })
  const client = createClient(edge.url, {}, () => undefined)

  async function untilUp(mark: Mark): Promise<void> {
    const { key } = mark === 'br01' ? br01.acme : us02.acme
    while ((await client.with(bearer(key)).get('/api/v1/channels')).status !== 200) await delay(50)
  }
  for (const mark of MARKS) await untilUp(mark)
  return { up, mail, br01, us02, edge, client, untilUp }
}

type Cells = Awaited<ReturnType<typeof startCells>>
type Client = Cells['client']
/** A request with a token, the status of its own cell, and that of another. */
type TokenCheck = [name: string, call: (client: Client) => Promise<{ status: number }>, own: number, other: number]

/** A request for each kind of token that a cell gives to people and programs. */
async function listTokenChecks({ hub, acme, owner, channel, number }: Cell, mail: MailServer): Promise<TokenCheck[]> {
  const { wabaId, phoneNumberId } = number
  const pending = await createChannel(acme)
  const link = await createLink(acme, pending.id)
  const invited = await owner.post('/console/invitations', { email: `${link}@example.com`, role: 'viewer' })
  assert.equal(invited.status, 201, invited.text)
  const sent = mail.mails.length
  assert.equal((await hub.anonymous.post('/console/password-reset', { email: owner.email })).status, 202)
  while (mail.mails.length === sent) await delay(20)
  const reset = new URL(readLink(mail.mails.at(-1)!)).pathname
  const portal = await acme.post('/api/v1/subscription/portal')
  assert.equal(portal.status, 200, portal.text)
  const { token } = channel
  const form = { raw: `messaging_product=whatsapp&access_token=${token}`, headers: { 'content-type': FORM } }
  return [
    ['API key', (to) => to.with(bearer(acme.key)).get('/api/v1/channels'), 200, 401],
    ['channel token', (to) => to.with(bearer(token)).get(`/upstream/${phoneNumberId}`), 200, 401],
    ['channel token on /graph', (to) => to.with({ authorization: `OAuth ${token}` }).get(`/graph/${wabaId}`), 200, 401],
    ['query token', (to) => to.get(`/graph/v25.0/${phoneNumberId}?fields=id&access_token=${token}`), 200, 401],
    ['form token', (to) => to.send('POST', `/graph/${wabaId}/subscribed_apps`, form), 200, 401],
    ['session', (to) => to.with({ cookie: `theme=dark; ${owner.cookie}` }).get('/console/session'), 200, 401],
    ['connect link', (to) => to.get(`/api/v1/connect/${link}`), 200, 404],
    // The browser of a person who is signed in at another cell.
    ['link beside a cookie', (to) => to.with({ cookie: OTHER_COOKIE }).get(`/api/v1/connect/${link}`), 200, 404],
    ['invitation', (to) => to.get(`/console${new URL(invited.body.data.invitation_url).pathname}`), 200, 404],
    ['reset', (to) => to.get(reset.replace('/reset-password/', '/console/password-reset/')), 200, 404],
    // The edge leads pages to the host of their cell.
    ['billing page', (to) => to.get(new URL(portal.body.data.portal_url).pathname), 307, 404],
  ]
}

const OTHER_COOKIE = `hub_session=${newToken('session', 'zz99')}; __Host-hub_session=${newToken('session', 'br01')}`
const FORM = 'application/x-www-form-urlencoded'

/** The rows of a database that hold a text, as text or as bytes, by table. */
async function findRows(sql: Pool, text: string): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
  const hex = Buffer.from(text).toString('hex')
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const matches = `t::text like '%${text}%' or t::text like '%${hex}%'`
    const [row] = await sql.unsafe(`select count(*)::int as count from ${name} t where ${matches}`)
    if (row?.count > 0) found[name] = row?.count
  }
  return found
}

async function countEvents({ sql }: Cell, kind: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from events where kind = ${kind}`
  return row?.count ?? 0
}

test('every kind of token reaches its own cell through one address', {
  skip,
  rules: ['cell.edge-routes-by-the-mark'],
}, async (t) => {
  const { br01, us02, mail, client } = await startCells(t)
  const seen: unknown[] = []
  const expected: unknown[] = []

  for (const [cell, other] of [
    [br01, us02],
    [us02, br01],
  ] as const) {
    for (const [name, call, ownStatus, otherStatus] of await listTokenChecks(cell, mail)) {
      const refused = await call(createClient(other.hub.url, {}, () => undefined))
      seen.push([cell.mark, name, refused.status, (await call(client)).status])
      expected.push([cell.mark, name, otherStatus, ownStatus])
    }
  }

  assert.deepEqual(seen, expected)
})

test('tokens without a mark go to the first cell, unless a map of hashes names another, and invented ones are 401', {
  skip,
  rules: ['cell.exceptions-are-hashes', 'cell.edge-routes-by-the-mark'],
}, async (t) => {
  const { br01, us02, client, edge } = await startCells(t)
  const ask = async (token: string, headers = {}) =>
    (await client.with({ ...bearer(token), ...headers }).get('/api/v1/channels')).status
  const askHost = async (host: string, token: string) => {
    const answer = await send(`${edge.url}/api/v1/channels`, { headers: { host, ...bearer(token) } })
    await answer.body.dump()
    return answer.statusCode
  }

  assert.deepEqual([await ask(br01.unmarkedKey), await ask(us02.unmarkedKey)], [200, 200])
  for (const mark of ['us02', 'br01', 'zz99', '']) assert.equal(await ask(newToken('api_key', mark)), 401, mark)
  const key = us02.acme.key
  for (const wrong of [`${key}0`, key.slice(0, -1), key.replace('us02', 'br01'), key.toUpperCase(), "' or 1=1"]) {
    assert.equal(await ask(wrong), 401, wrong)
  }
  assert.equal(await ask(key, { 'x-large': 'x'.repeat(20_000) }), 431)
  assert.equal(await ask(key, { 'x-large': 'x'.repeat(100_000) }), 400)
  assert.equal(await ask(key), 200)
  // The host of a cell is that cell's alone.
  assert.deepEqual([await askHost('us02.example.com', key), await askHost('br01.example.com', key)], [200, 401])
  assert.equal((await client.get('/health')).status, 200)
})

/** A token in each place and spelling that a hub takes it from. */
function listSpellings(): [name: string, path: string, options?: Parameters<typeof send>[1]][] {
  const [link, token] = [newToken('connect_link', 'us02'), newToken('channel_token', 'us02')]
  const encode = (text: string) => text.replace('h', '%68').replace('_', '%5f')
  const form = (body: string) => ({ method: 'POST' as const, headers: { 'content-type': FORM }, body })
  const filling = `text=${'x'.repeat(60_000)}`
  return [
    ['a link before another segment', `/api/v1/connect/${link}/logo`],
    ['an encoded link', `/api/v1/connect/${encode(link)}`],
    ['an encoded link before another segment', `/api/v1/connect/${encode(link)}/logo`],
    ['an encoded name', `/graph/v25.0/1?fields=id&access%5Ftoken=${token}`],
    ['an encoded value', `/graph/v25.0/1?access_token=${encode(token)}&fields=id`],
    ['an encoded name in a form', '/graph/v25.0/1/messages', form(`type=text&access%5ftoken=${token}`)],
    ['an encoded value in a form', '/graph/v25.0/1/messages', form(`access_token=${encode(token)}&type=text`)],
    ['the end of a long form', '/graph/v25.0/1/messages', form(`${filling}&access_token=${token}`)],
    ['the beginning of a long form', '/graph/v25.0/1/messages', form(`access_token=${token}&${filling}`)],
    ['a query after a line break', `/graph/v25.0/1?after=a%0ab&access_token=${token}`],
    ['a query before a line break', `/graph/v25.0/1?access_token=${token}&after=a%0D%0Ab`],
    ['a query with a % that escapes nothing', `/graph/v25.0/1?after=50%&access_token=${encode(token)}&name=%zz`],
    ['a form after line breaks', '/graph/v25.0/1/messages', form(`text=a%0Ab\nc&access_token=${token}`)],
    ['a form before line breaks', '/graph/v25.0/1/messages', form(`access_token=${encode(token)}&text=a%0Ab\r\nc`)],
    ['a form with a % that escapes nothing', '/graph/v25.0/1/messages', form(`text=100%&access_token=${token}`)],
    ['a long form of escapes', '/graph/v25.0/1/messages', form(`text=${'%0A'.repeat(20_000)}&access_token=${token}`)],
  ]
}

test('a token is found wherever and however a hub takes it, and pages are at the host of their cell', {
  skip,
  rules: ['cell.edge-finds-every-spelling', 'cell.edge-leads-pages-to-their-host'],
}, async (t) => {
  const { edge } = await startCells(t)
  const ask = async (path: string, options = {}) => {
    const answer = await send(`${edge.url}${path}`, options)
    await answer.body.dump()
    return answer
  }

  for (const [name, path, options] of listSpellings()) {
    assert.equal((await ask(path, options)).headers['x-test-backend'], 'us02', name)
  }
  // A link that was mailed before CELL was set.
  const old = `/connect/${newToken('connect_link')}`
  assert.equal((await ask(old)).headers.location, `https://br01.example.com${old}`)
  for (const page of ['connect', 'join', 'reset-password', 'verify-email', 'finish-sign-up', 'billing/plan']) {
    const path = `/${page}/${newToken('connect_link', 'us02')}?language=es`
    const led = await ask(path)
    assert.deepEqual([led.statusCode, led.headers.location], [307, `https://us02.example.com${path}`])
    const there = await ask(path, { headers: { host: 'us02.example.com' } })
    assert.deepEqual([there.statusCode === 307, there.headers['x-test-backend']], [false, 'us02'])
  }
})

test('the edge believes no address that a client claims', {
  skip,
  rules: ['cell.edge-sends-the-address-it-sees'],
}, async (t) => {
  const { client, us02 } = await startCells(t)
  const acme = client.with({ ...bearer(us02.acme.key), 'x-forwarded-for': '203.0.113.9' })

  const created = await acme.post('/api/v1/api-keys', { name: 'through the edge', scopes: ['channels:read'] })

  assert.equal(created.status, 201, created.text)
  const { entries } = (await acme.get('/api/v1/audit-log?action=api_key.created&limit=1')).body.data
  assert.equal(entries[0].ip, '127.0.0.1')
})

const HANDLE = `
local function run(method, authority, path, type, body, authorization)
  local values = { [':method'] = method, [':authority'] = authority, [':path'] = path, ['content-type'] = type, authorization = authorization }
  local cell
  local headers = { get = function(_, name) return values[name] end, remove = function() end, add = function(_, _, value) cell = value end }
  envoy_on_request({
    headers = function() return headers end,
    body = function() return { length = function() return #body end, getBytes = function() return body end } end,
    respond = function(_, answer) cell = answer['location'] end,
    clearRouteCache = function() end,
  })
  print(cell or 'none')
end`

test('the program for Envoy finds the same cells', {
  skip: await findMissing('luajit', process.env.LUAJIT_PATH),
  rules: ['cell.edge-finds-every-spelling', 'cell.edge-leads-pages-to-their-host'],
}, async (t) => {
  const key = newToken('api_key', 'us02')
  const unmarked = newToken('api_key')
  const [page, moved] = [`/join/${newToken('invitation', 'us02')}`, newToken('api_key')]
  const hash = createHash('sha256').update(moved).digest('hex')
  const calls: [expected: string, ...values: string[]][] = [
    ['us02', 'GET', 'api.example.com', '/api/v1/channels', '', '', `Bearer ${key}`],
    ['none', 'GET', 'api.example.com', '/api/v1/channels', '', '', `Bearer ${unmarked}`],
    ['us02', 'GET', 'api.example.com', '/api/v1/channels', '', '', `Bearer ${moved}`],
    [`https://us02.example.com${page}`, 'GET', 'api.example.com:443', page, '', '', ''],
    [`https://br01.example.com/join/${unmarked}`, 'GET', 'api.example.com', `/join/${unmarked}`, '', '', ''],
    ['us02', 'GET', 'us02.example.com', page, '', '', ''],
  ]
  for (const [, path, options] of listSpellings()) {
    const { method = 'GET', body = '' } = (options ?? {}) as { method?: string; body?: string }
    calls.push(['us02', method, 'api.example.com', path, options ? FORM : '', body, ''])
  }
  const program = (await readEnvoyProgram()).replace(/\['[0-9a-f]{64}'\]/, `['${hash}']`)
  const lines = calls.map(([, ...values]) => `run(${values.map((value) => `[==[${value}]==]`).join(', ')})`)
  const file = join(await newDirectory(t, 'hubline-envoy-'), 'edge.lua')
  await writeFile(file, [program, HANDLE, ...lines].join('\n'))

  const { stdout } = await promisify(execFile)(await findProgram('luajit', process.env.LUAJIT_PATH), [file])

  assert.deepEqual(
    stdout.trim().split('\n'),
    calls.map(([expected]) => expected),
  )
})

test('messages, statuses and template callbacks arrive in the right cell, once', {
  skip,
  rules: ['cell.callbacks-arrive-once'],
}, async (t) => {
  const { up, br01, us02, client } = await startCells(t)
  const acme = client.with(bearer(us02.acme.key))
  const path = `/api/v1/channels/${us02.channel.id}/messages`
  const { wabaId: waba_id, phoneNumberId: to } = us02.number

  await up.simulator.control('POST', '/contacts/5511977770001/messages', { to, type: 'text', text: { body: 'oi' } })
  const message = { to: '5511977770001', type: 'text', text: { body: 'Bom dia!' } }
  const sent = await acme.post(path, message, { headers: { 'idempotency-key': 'through the edge' } })
  assert.equal(sent.status, 202, sent.text)
  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })
  const value = {
    event: 'APPROVED',
    message_template_id: 7,
    message_template_name: 'ola',
    message_template_language: 'en',
  }
  await up.simulator.control('POST', '/webhooks', { waba_id, field: 'message_template_status_update', value })

  const { messages } = (await acme.get(path)).body.data
  assert.deepEqual(
    messages.map(({ direction, status }: { direction: string; status: string }) => [direction, status]),
    [
      ['outbound', 'read'],
      ['inbound', 'received'],
    ],
  )
  assert.equal(await readCallbackUrl(up, us02.number), `http://127.0.0.1:${us02.port}/hooks/upstream`)
  for (const [kind, count] of [
    ['message.received', 1],
    ['template.status', 1],
  ] as const) {
    assert.deepEqual([await countEvents(us02, kind), await countEvents(br01, kind)], [count, 0], kind)
  }
  assert.deepEqual(await findRows(br01.sql, waba_id), {})
  const { webhooks } = await up.simulator.control<{ webhooks: { state: string; url: string }[] }>('GET', '/webhooks')
  assert.deepEqual(new Set(webhooks.map(({ state }) => state)), new Set(['delivered']))
})

test('a cell that is down stops only its own organizations', {
  skip,
  rules: ['cell.down-cell-stops-its-own-only'],
}, async (t) => {
  const { up, br01, us02, client, untilUp } = await startCells(t)
  const { wabaId: waba_id, phoneNumberId: to } = us02.number
  const ask = async ({ acme }: Cell) => (await client.with(bearer(acme.key)).get('/api/v1/channels')).status
  const listWebhooks = async () =>
    (await up.simulator.control<{ webhooks: { id: string; state: string }[] }>('GET', '/webhooks')).webhooks

  await br01.hub.stop()
  const during = [await ask(br01), await ask(us02)]
  await up.simulator.control('POST', '/contacts/5511977770002/messages', { to, type: 'text', text: { body: 'oi' } })
  await up.simulator.control('POST', '/webhooks', { waba_id, field: 'account_alerts', value: { alert_info: {} } })
  const [message, alert] = (await listWebhooks()).slice(-2)
  const taken = [await countEvents(us02, 'message.received'), await countEvents(us02, 'account.update')]
  await br01.start()
  await untilUp('br01')
  await up.simulator.control('POST', `/webhooks/${alert?.id}/redeliver`)

  assert.deepEqual(during, [503, 200])
  assert.deepEqual([message?.state, alert?.state], ['delivered', 'retrying'])
  assert.deepEqual(taken, [1, 1])
  assert.equal((await listWebhooks()).at(-1)?.state, 'delivered')
  assert.equal(await countEvents(us02, 'account.update'), 1)
  assert.equal(await ask(br01), 200)
})

test('an erasure in one cell leaves nothing in the other', {
  skip,
  rules: ['cell.erasure-leaves-nothing-elsewhere'],
}, async (t) => {
  const { up, br01, us02, edge } = await startCells(t)
  const person = '5511977770003'
  const { phoneNumberId: to, wabaId } = us02.number
  await up.simulator.control('POST', `/contacts/${person}/messages`, { to, type: 'text', text: { body: 'segredo' } })
  await up.simulator.control('POST', `/contacts/${person}/preferences`, { to, value: 'stop' })
  // One callback about both cells, as Meta sends them to the app.
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { id: br01.number.wabaId, changes: [{ field: 'account_alerts', value: { alert_info: {} } }] },
      { id: wabaId, changes: [{ field: 'flows', value: { event: 'x', message: `asked by ${person}` } }] },
    ],
  })
  const signature = createHmac('sha256', up.simulator.appSecret).update(body).digest('hex')
  const shared = await send(`${edge.url}/hooks/upstream`, {
    method: 'POST',
    headers: { host: 'callbacks.example.com', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  })
  await shared.body.dump()
  assert.equal(shared.statusCode, 200)
  assert.deepEqual([await countEvents(br01, 'account.update'), await countEvents(us02, 'flow.status')], [1, 1])
  const before = await findRows(us02.sql, person)

  const path = `/console/organizations/${us02.acme.organizationId}/erasures`
  const requested = await us02.owner.post(path, { phone: person })
  assert.equal(requested.status, 202, requested.text)
  let erasure = requested.body.data.erasure
  for (let minutes = 0; erasure.status !== 'done' && minutes < 20; minutes++) {
    await us02.hub.clock.advance('1 minute')
    await us02.hub.context.erasureWorker.runAll()
    erasure = (await us02.owner.get(`${path}/${erasure.id}`)).body.data.erasure
  }

  assert.equal(erasure.status, 'done')
  assert.ok(Object.keys(before).length > 2, JSON.stringify(before))
  assert.deepEqual(await findRows(br01.sql, person), {})
})
