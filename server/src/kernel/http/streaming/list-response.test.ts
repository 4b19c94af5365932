import assert from 'node:assert/strict'
import { type IncomingMessage, request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../../test/hub.ts'
import { openRecordingPool } from '../../../../test/query-plans.ts'
import { openRawConnection } from '../../../../test/raw-http.ts'

type Options = Parameters<typeof startHub>[1]

/** A hub whose slots for large lists no other test uses, and the responses that the test leaves unread. */
async function startLists(t: TestContext, options: Options = {}) {
  const unread = new Set<IncomingMessage>()
  // Before the hub stops, which waits for open responses.
  t.after(() => unread.forEach((response) => void response.destroy()))
  return { unread, ...(await startHub(t, { env: { BILLING: 'off' }, isOwn: true, ...options })) }
}

type ListHub = Awaited<ReturnType<typeof startLists>>

/** Seeds endpoints. With a long name, a list of them is larger than what the sockets hold of an unread response. */
async function seedEndpoints(hub: TestHub, organizationId: string, count: number, nameLength = 10): Promise<void> {
  await hub.sql`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
    select ${organizationId}, hub_id(), repeat('x', ${nameLength}), 'https://hooks.example.com/in', 'sealed', '{}',
      'normalized', 'native', true
    from generate_series(1, ${count})`
}

const LARGE = { count: 1100, nameLength: 16_000 }
const OWNERS = 5
let keys: Promise<string[]> | undefined

async function seedLarge(hub: TestHub): Promise<string> {
  const { organizationId, key } = await hub.organization()
  await seedEndpoints(hub, organizationId, LARGE.count, LARGE.nameLength)
  return key
}

/** Clients of organizations with large lists. All tests of this file read the same ones. */
async function listOwners(hub: TestHub) {
  keys ??= Promise.all(Array.from({ length: OWNERS }, () => seedLarge(hub)))
  return (await keys).map((key) => ({ key, ...hub.anonymous.with(bearer(key)) }))
}

type Owner = Awaited<ReturnType<typeof listOwners>>[number]

/** Requests a list and reads nothing but its headers. */
async function openList({ url, unread }: ListHub, { key }: { key: string }, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    request(`${url}/api/v1/webhooks`, { method, headers, agent: false }, resolve).once('error', reject).end()
  })
  unread.add(response)
  return response
}

/** Listens to the socket: a response has as many listeners of its own as Node allows without a warning. */
function waitForCut({ app }: ListHub): Promise<void> {
  return new Promise((resolve) => {
    app.server.once('request', ({ socket }) => socket.once('close', () => resolve()))
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Asks for a list until the hub has a slot for it. */
async function readWhenFree(hub: ListHub, acme: Owner): Promise<{ id: string }[]> {
  for (let tries = 0; tries < 500; tries++) {
    const response = await openList(hub, acme)
    const text = await readText(response)
    if (response.statusCode === 200) return JSON.parse(text).data.webhooks
  }
  throw new Error('No slot became free')
}

for (const [path, name] of [
  ['channels', 'channels'],
  ['webhooks', 'webhooks'],
] as const) {
  test(`${path} of any number are listed once each, newest first, by statements of at most 500 rows`, {
    rules: ['channel.list-shows-the-organizations'],
  }, async (t) => {
    const { sql, statements } = await openRecordingPool(t)
    const hub = await startLists(t, { installation: { sql }, hasTimers: false })
    const [acme, other] = [await hub.organization(), await hub.organization()]
    const seed = async (organizationId: string, count: number) => {
      if (path === 'webhooks') return seedEndpoints(hub, organizationId, count)
      await hub.sql`
        insert into channels (organization_id, id, name)
        select ${organizationId}, hub_id(), 'seeded'
        from generate_series(1, ${count})`
    }
    await Promise.all([seed(acme.organizationId, 1201), seed(other.organizationId, 700)])

    const answer = await acme.get(`/api/v1/${path}`)

    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    const ids: string[] = answer.body.data[name].map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed())
    assert.equal(ids.length, 1201)
    const steps = statements.filter(({ text }) => /order by (e\.)?id desc\s+limit/.test(text))
    assert.deepEqual(
      steps.map(({ values }) => values.at(-1)),
      ['500', '500', '500'],
    )
  })
}

test('a list of one step is sent whole, with its length', {
  rules: ['fairness.short-lists-are-sent-whole'],
}, async (t) => {
  const hub = await startLists(t)
  const acme = await hub.organization()
  await seedEndpoints(hub, acme.organizationId, 499)

  const answers = await Promise.all(Array.from({ length: 10 }, () => acme.get('/api/v1/webhooks')))

  for (const { status, headers, text, body } of answers) {
    assert.equal(status, 200)
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(text)))
    assert.equal(body.data.webhooks.length, 499)
  }
})

test('an organization has two large lists in flight; another is 429, and other organizations are unaffected', {
  rules: ['fairness.two-large-lists-at-a-time'],
}, async (t) => {
  const hub = await startLists(t)
  const [acme, other] = (await listOwners(hub)) as [Owner, Owner]

  const [first] = await Promise.all([openList(hub, acme), openList(hub, acme)])
  const refused = await acme.get('/api/v1/webhooks')
  const foreign = await readWhenFree(hub, other)
  const list = JSON.parse(await readText(first))
  const later = await readWhenFree(hub, acme)

  assert.equal(refused.status, 429)
  assert.equal(refused.body.error.code, 'RATE_LIMITED')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.deepEqual(
    [foreign, list.data.webhooks, later].map(({ length }) => length),
    [LARGE.count, LARGE.count, LARGE.count],
  )
})

test('a process has eight large lists in flight, and small lists need no slot', {
  rules: ['fairness.short-lists-are-sent-whole', 'fairness.two-large-lists-at-a-time'],
}, async (t) => {
  const hub = await startLists(t)
  const [large, ...busy] = (await listOwners(hub)) as [Owner, ...Owner[]]
  const small = await hub.organization()

  const open = await Promise.all(busy.flatMap((acme) => [openList(hub, acme), openList(hub, acme)]))
  const refused = await large.get('/api/v1/webhooks')
  const whole = await small.get('/api/v1/webhooks')

  assert.deepEqual(new Set(open.map(({ statusCode }) => statusCode)), new Set([200]))
  assert.equal(refused.status, 429)
  assert.equal(whole.status, 200)
})

test('a client that leaves in the middle of a list frees its slot', {
  rules: ['fairness.two-large-lists-at-a-time'],
}, async (t) => {
  const hub = await startLists(t)
  const [acme] = (await listOwners(hub)) as [Owner]
  const open = await Promise.all([openList(hub, acme), openList(hub, acme)])

  for (const response of open) response.destroy()

  assert.equal((await readWhenFree(hub, acme)).length, LARGE.count)
})

test('a list that no client reads holds no connection of the database', {
  rules: ['fairness.unread-list-holds-no-connection'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startLists(t, { installation: { sql }, hasTimers: false })
  const [, ...owners] = await listOwners(hub)
  await Promise.all(owners.flatMap((acme) => [openList(hub, acme), openList(hub, acme)]))

  // The pool has four connections: with eight lists in flight, none of them may hold one.
  const answers = await Promise.all(Array.from({ length: 8 }, () => owners[0]?.get('/api/v1/usage')))

  assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([200]))
  const steps = statements.filter(({ text }) => /order by e\.id desc\s+limit/.test(text))
  assert.ok(steps.length < 8 * 3, `${steps.length} steps were read ahead of their clients`)
})

test('a failure after the first step closes the connection', {
  rules: ['fairness.failed-list-is-never-shorter'],
}, async (t) => {
  const hub = await startLists(t)
  const [acme] = (await listOwners(hub)) as [Owner]
  const response = await openList(hub, acme)
  await hub.sql`alter table webhook_endpoints rename to webhook_endpoints_away`
  t.after(() => hub.sql`alter table if exists webhook_endpoints_away rename to webhook_endpoints`)

  await assert.rejects(readText(response), { code: 'ECONNRESET' })

  assert.equal(response.statusCode, 200)
  assert.equal(response.complete, false)
})

test('HEAD of a large list reads one step', async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startLists(t, { installation: { sql }, hasTimers: false })
  const [acme] = (await listOwners(hub)) as [Owner]

  const response = await openList(hub, acme, 'HEAD')

  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-length'], undefined)
  assert.equal(statements.filter(({ text }) => /order by e\.id desc\s+limit/.test(text)).length, 1)
})

test('a list that was large the last time is refused before it is read', {
  rules: ['fairness.refused-list-is-not-read'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startLists(t, { installation: { sql }, hasTimers: false })
  const [acme] = (await listOwners(hub)) as [Owner]
  const countReads = () => statements.filter(({ text }) => /order by e\.id desc\s+limit/.test(text)).length
  await openList(hub, acme)
  await openList(hub, acme)
  const before = countReads()

  const answers = await Promise.all(Array.from({ length: 10 }, () => acme.get('/api/v1/webhooks')))

  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(429),
  )
  // The two open lists may go on until nobody takes what they read. Ten more lists would read ten times at least.
  assert.ok(countReads() - before < 10, `${countReads() - before} reads`)
})

test('a list that has become small is sent whole, and takes no slot from then on', {
  rules: ['fairness.short-lists-are-sent-whole', 'fairness.refused-list-is-not-read'],
}, async (t) => {
  const hub = await startLists(t)
  const acme = await hub.organization()
  await seedEndpoints(hub, acme.organizationId, 501)
  const large = await acme.get('/api/v1/webhooks')
  await hub.sql`
    delete from webhook_endpoints
    where organization_id = ${acme.organizationId}
      and id <> ${large.body.data.webhooks[0].id}`

  const first = await acme.get('/api/v1/webhooks')
  const answers = await Promise.all(Array.from({ length: 10 }, () => acme.get('/api/v1/webhooks')))

  for (const { status, body } of [first, ...answers]) assert.deepEqual([status, body.data.webhooks.length], [200, 1])
})

test('a response of which the client takes nothing is cut', {
  rules: ['fairness.untaken-response-is-cut'],
}, async (t) => {
  const hub = await startLists(t, { timeouts: { response: 50 } })
  const [acme] = (await listOwners(hub)) as [Owner]
  const cut = waitForCut(hub)

  const response = await openList(hub, acme)
  await cut

  await assert.rejects(readText(response), { code: 'ECONNRESET' })
})

test('a response of which the client takes nothing is cut, although the client keeps sending', {
  rules: ['fairness.untaken-response-is-cut'],
  timeout: 60_000,
}, async (t) => {
  const hub = await startLists(t, { timeouts: { response: 200, check: 10 } })
  const [acme] = (await listOwners(hub)) as [Owner]
  const cut = waitForCut(hub)
  const connection = await openRawConnection(hub.url)
  connection.pause()

  connection.write(`GET /api/v1/webhooks HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${acme.key}\r\n\r\nGET /`)
  const sending = setInterval(() => connection.write('x'), 20)
  t.after(() => clearInterval(sending))

  await cut
  connection.hangUp()
})
