import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createClient } from '../../test/client.ts'
import { openRawConnection } from '../../test/raw-http.ts'
import { type Answer, startReceiver } from '../../test/receiver.ts'
import { createLogger } from '../kernel/logger.ts'
import { readConfig } from './config/config.ts'
import { startForwarding } from './forwarding.ts'

const SECRET = 'the secret of the app'
const BODY =
  '{"object":"whatsapp_business_account",  "entry":[{"id":"1","changes":[{"field":"flows","value":"\\u00e9"}]}]}'
const MIB = 1024 * 1024

type Limits = Omit<Parameters<typeof startForwarding>[1], 'logger'>

/** A process of the role `callbacks` before two cells. */
async function start(t: TestContext, limits: Limits = {}, moreCells: string[] = []) {
  const cells = [await startReceiver(t), await startReceiver(t)]
  for (const cell of cells) cell.answer(200)
  const logs: string[] = []
  const config = readConfig({
    ROLE: 'callbacks',
    CELLS: [...cells.map(({ url }) => url), ...moreCells].join(','),
    CELL: 'br01',
    PORT: '0',
    DRAIN_SECONDS: '0',
    UPSTREAM_APP_SECRET: SECRET,
    UPSTREAM_VERIFY_TOKEN: 'verify',
  })
  const logger = createLogger('info', { write: (line: string) => void logs.push(line) })
  const forwarding = await startForwarding(config, { logger, ...limits })
  t.after(() => forwarding.stop())
  const client = createClient(forwarding.url, {}, () => undefined)

  const post = (body: string | Buffer = BODY, signature = sign(body)) =>
    client.send('POST', '/hooks/upstream', {
      raw: new Uint8Array(Buffer.from(body)),
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    })
  // The port of a cell may have been that of a receiver or a hub of another test, which is still called there.
  const countReceived = () =>
    cells.map(({ received }) => received.filter(({ headers }) => headers['x-hub-forwarded'] === 'callbacks').length)
  return { cells, client, post, countReceived, logs, url: forwarding.url }
}

function sign(body: string | Buffer, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

test('each cell gets the same bytes with the same signature, and the upstream a 200', {
  rules: ['cell.forwarded-callbacks-are-unchanged', 'cell.forwarding-is-200-when-all-cells-took-it'],
}, async (t) => {
  const { cells, post } = await start(t)

  const answer = await post()

  assert.deepEqual([answer.status, answer.text], [200, ''])
  for (const { received } of cells) {
    const [request, ...others] = received
    assert.deepEqual(others, [])
    assert.deepEqual([request?.method, request?.path], ['POST', '/hooks/upstream'])
    assert.equal(request?.body.toString(), BODY)
    assert.equal(request?.headers['x-hub-signature-256'], sign(BODY))
  }
})

test('a process of this role takes nothing that another one has forwarded', {
  rules: ['cell.forwarding-makes-no-loop'],
}, async (t) => {
  const behind = await start(t)
  const { post, cells } = await start(t, {}, [behind.url])

  const answer = await post()

  assert.deepEqual([answer.status, answer.body.error.code], [503, 'NOT_READY'])
  assert.equal(cells[0]?.received[0]?.headers['x-hub-forwarded'], 'callbacks')
  assert.deepEqual(behind.countReceived(), [0, 0])
})

const REFUSALS: [string, Answer][] = [
  ['401', 401],
  ['500', 500],
  ['204', 204],
  ['a redirect to an address that would take it', () => ({ status: 302, headers: { location: '/hooks/upstream' } })],
  ['a permanent redirect', () => ({ status: 308, headers: { location: '/hooks/upstream' } })],
]

for (const [what, refusal] of REFUSALS) {
  test(`a cell that answers ${what} makes the callback a 503, and the other cell has it`, {
    rules: ['cell.forwarding-is-200-when-all-cells-took-it'],
  }, async (t) => {
    const { cells, post, countReceived, logs } = await start(t)
    cells[0]?.answer(refusal)

    const refused = await post()
    const during = countReceived()
    cells[0]?.answer(200)
    const repeated = await post()

    assert.deepEqual([refused.status, refused.body.error.code], [503, 'NOT_READY'])
    assert.deepEqual(during, [1, 1])
    assert.deepEqual([repeated.status, countReceived()], [200, [2, 2]])
    assert.ok(logs.some((line) => line.includes('a cell did not take a callback')))
  })
}

test('a cell that never answers costs a callback its deadline, and the other cell has it', {
  rules: ['cell.forwarding-is-200-when-all-cells-took-it'],
}, async (t) => {
  const { cells, post, countReceived } = await start(t, { deadlineMs: 300 })
  cells[0]?.hold(() => true)

  const answers = await Promise.all(Array.from({ length: 100 }, () => post()))

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]))
  assert.equal(countReceived()[1], 100)
})

test('a cell that is gone, or ends its connection, makes the callback a 503', {
  rules: ['cell.forwarding-is-200-when-all-cells-took-it'],
}, async (t) => {
  const broken = createServer((request) => request.socket.destroy())
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  t.after(() => broken.close())
  const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`

  for (const cell of [url, 'http://127.0.0.1:9']) {
    const { post, countReceived } = await start(t, {}, [cell])
    assert.equal((await post()).status, 503)
    assert.deepEqual(countReceived(), [1, 1])
  }
})

test('a callback with a wrong or missing signature is 401 and reaches no cell', {
  rules: ['cell.forwarding-checks-signatures'],
}, async (t) => {
  const { post, client, countReceived } = await start(t)

  for (const signature of [sign(BODY, 'another'), sign(`${BODY} `), 'sha256=', sign(BODY).replace('sha256', 'sha1')]) {
    assert.equal((await post(BODY, signature)).status, 401, signature)
  }
  const unsigned = await client.send('POST', '/hooks/upstream', { raw: BODY })
  const twice = await client.send('POST', '/hooks/upstream', {
    raw: BODY,
    headers: { 'x-hub-signature-256': `${sign(BODY)}, ${sign(BODY)}` },
  })

  assert.deepEqual([unsigned.status, twice.status], [401, 401])
  assert.deepEqual(countReceived(), [0, 0])
})

test('the challenge is answered for the right verify token only', {
  rules: ['cell.forwarding-checks-signatures'],
}, async (t) => {
  const { client } = await start(t)
  const ask = (token: string) =>
    client.get(`/hooks/upstream?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`)

  const [right, wrong] = [await ask('verify'), await ask('verify2')]

  assert.deepEqual([right.status, right.text], [200, '42'])
  assert.equal(wrong.status, 401)
})

test('a callback of 4 MiB is forwarded, and a longer one is 413', {
  rules: ['cell.forwarded-callbacks-are-unchanged'],
}, async (t) => {
  const { cells, post, countReceived } = await start(t)
  const largest = Buffer.alloc(4 * MIB, 'x')

  const [taken, refused] = [await post(largest), await post(Buffer.alloc(4 * MIB + 1, 'x'))]

  assert.deepEqual([taken.status, refused.status], [200, 413])
  assert.deepEqual(countReceived(), [1, 1])
  assert.ok(cells.every(({ received }) => received[0]?.body.equals(largest)))
})

test('callbacks that wait for a cell are bounded, and beyond that the other cell still gets them', {
  rules: ['cell.waiting-callbacks-are-bounded'],
}, async (t) => {
  const { cells, post, countReceived } = await start(t, { waitingBytesMax: 2.5 * MIB })
  const body = Buffer.alloc(MIB, 'x')
  cells[0]?.hold(() => true)

  const held = [post(body), post(body)]
  await cells[0]?.until(2)
  const refused = await post(body)
  const during = countReceived()
  const small = post()
  await cells[0]?.until(3)
  cells[0]?.letGo()

  assert.deepEqual([refused.status, refused.body.error.code], [503, 'NOT_READY'])
  assert.deepEqual(during, [2, 3])
  assert.deepEqual(
    (await Promise.all([...held, small])).map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await post(body)).status, 200)
})

test('the process has probes and metrics, and nothing else', {
  rules: ['cell.forwarding-needs-no-database'],
}, async (t) => {
  const { cells, client, post, url } = await start(t)
  cells[1]?.answer(500)
  await post()
  await post(BODY, 'sha256=')

  const statuses = [await client.get('/health'), await client.get('/ready')].map(({ status }) => status)
  const { text } = await client.get('/metrics')
  const others = [await client.get('/'), await client.get('/api/v1/channels'), await client.get('/hooks/billing')]

  assert.deepEqual(statuses, [200, 200])
  const [first, second] = cells.map(({ destination }) => destination)
  for (const line of [
    `hubline_forwarded_callbacks_total{cell="${first}",outcome="succeeded"} 1`,
    `hubline_forwarded_callbacks_total{cell="${second}",outcome="failed"} 1`,
    'hubline_refused_callbacks_total 1',
  ]) {
    assert.ok(text.includes(line), line)
  }
  assert.doesNotMatch(text, /cell="br01"/)
  assert.deepEqual(
    others.map(({ status }) => status),
    [404, 404, 404],
  )
  const connection = await openRawConnection(url)
  connection.write(`GET /health HTTP/1.1\r\nHost: h\r\nX-Large: ${'x'.repeat(70_000)}\r\n\r\n`)
  assert.equal((await connection.answer()).status, 431)
})
