import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextWaitMs } from '../../outbox.ts'
import { type Fixture, listStatuses, listValues, startFixture } from '../../test/harness.ts'
import { computeSignature } from '../../test/receiver.ts'
import { RETRY_SCHEDULE } from './retry-schedule.ts'

const DAY_MS = 86_400_000

interface WebhookView {
  id: string
  state: string
  attempts: { status: number | null; error: string | null }[]
}

async function listWebhooks(fixture: Fixture, query = ''): Promise<WebhookView[]> {
  return (await fixture.control<{ webhooks: WebhookView[] }>('GET', `/webhooks${query}`)).webhooks
}

function policy(fixture: Fixture, change: Record<string, number | boolean>) {
  return fixture.control('PUT', '/webhooks/policy', change)
}

/** Several updates at one moment, which then wait for one another. */
async function converse(fixture: Fixture, people: number): Promise<void> {
  for (let person = 0; person < people; person++) await fixture.receive({}, String(5511900000000 + person))
}

test('a webhook is signed with the app secret over its exact bytes', async (t) => {
  const fixture = await startFixture(t)

  await fixture.receive({ type: 'text', text: { body: 'Olá, São João! 🥖 a/b' } })

  const [post] = fixture.receiver.posts
  assert.ok(post)
  assert.equal(post.headers['x-hub-signature-256'], computeSignature(post.raw, fixture.simulator.appSecret))
  const sha1 = createHmac('sha1', fixture.simulator.appSecret).update(post.raw).digest('hex')
  assert.equal(post.headers['x-hub-signature'], `sha1=${sha1}`)
  assert.equal(post.headers['content-type'], 'application/json')
  assert.equal(post.headers['user-agent'], 'facebookexternalua')
})

test('the bytes are ASCII with lower-case escapes, so that the signature fails for re-serialized JSON', async (t) => {
  const fixture = await startFixture(t)

  await fixture.receive({ type: 'text', text: { body: 'Olá 🥖 a/b' } })

  const [post] = fixture.receiver.posts
  assert.ok(post)
  assert.ok(post.raw.every((byte) => byte < 0x7f))
  assert.ok(post.raw.includes('Ol\\u00e1 \\ud83e\\udd56 a\\/b'))
  const reprinted = Buffer.from(JSON.stringify(post.body))
  assert.notEqual(computeSignature(reprinted, fixture.simulator.appSecret), post.headers['x-hub-signature-256'])
})

test("an inbound message has the platform's payload", async (t) => {
  const fixture = await startFixture(t)

  const { message_id: id } = await fixture.receive({ type: 'text', text: { body: 'oi' } })

  const [post] = fixture.receiver.posts
  const userId = (post!.body.entry[0]!.changes[0]!.value.contacts as [{ user_id: string }])[0].user_id
  assert.deepEqual(post?.body, {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: fixture.wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '5511987654321', phone_number_id: fixture.phoneId },
              contacts: [{ profile: { name: 'Contact 0000' }, wa_id: '5511999990000', user_id: userId }],
              messages: [
                {
                  from: '5511999990000',
                  from_user_id: userId,
                  id,
                  timestamp: '1794744000',
                  type: 'text',
                  text: { body: 'oi' },
                },
              ],
            },
          },
        ],
      },
    ],
  })
})

test('a webhook that is not answered with 200 is retried for a week with the same bytes', async (t) => {
  const fixture = await startFixture(t)
  fixture.receiver.answers.push(...Array(100).fill(503))

  await fixture.receive()
  await fixture.advance(8 * DAY_MS)

  const [record] = await listWebhooks(fixture)
  assert.equal(record?.state, 'failed')
  assert.ok(fixture.receiver.posts.length > 10 && fixture.receiver.posts.length < 30)
  assert.equal(new Set(fixture.receiver.posts.map((post) => post.raw.toString())).size, 1)
})

test('a webhook that is answered with 204 is retried until the response is 200', async (t) => {
  const fixture = await startFixture(t)
  fixture.receiver.answers.push(204, 302, 500)

  await fixture.receive()
  assert.equal((await listWebhooks(fixture))[0]?.state, 'retrying')
  await fixture.advance(DAY_MS)

  const [record] = await listWebhooks(fixture)
  assert.equal(record?.state, 'delivered')
  assert.deepEqual(
    record?.attempts.map(({ status }) => status),
    [204, 302, 500, 200],
  )
})

test('a webhook to an unreachable receiver is retried', async (t) => {
  const fixture = await startFixture(t)
  const url = fixture.receiver.url
  await fixture.control('PUT', '/callback', { url: 'http://127.0.0.1:9/unreachable', verify: false })

  await fixture.receive()

  const [record] = await listWebhooks(fixture)
  assert.equal(record?.state, 'retrying')
  assert.ok(record?.attempts[0]?.error)
  assert.ok(url)
})

test('a batch has at most a thousand updates', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PUT', '/limits', { enforced: false })
  await policy(fixture, { batch: 5_000 })

  await converse(fixture, 1_001)
  await fixture.advance(1_000)

  assert.deepEqual(
    fixture.receiver.posts.map((post) => post.body.entry.flatMap((entry) => entry.changes).length),
    [1_000, 1],
  )
})

test('a batch has less than three megabytes', async (t) => {
  const fixture = await startFixture(t)
  await policy(fixture, { batch: 1_000 })
  for (let count = 0; count < 40; count++) {
    await fixture.receive({ type: 'text', text: { body: 'é'.repeat(20_000) } }, String(5511900000000 + count))
  }
  await fixture.advance(1_000)

  assert.ok(fixture.receiver.posts.length > 1)
  assert.ok(fixture.receiver.posts.every((post) => post.raw.length < 3 * 1024 * 1024))
  assert.equal(fixture.receiver.changes().length, 40)
})

test('updates of one number can be joined into one change, within a batch', async (t) => {
  const fixture = await startFixture(t)
  await policy(fixture, { batch: 3, fold: true })

  await converse(fixture, 4)
  await fixture.advance(1_000)

  const [change, ...others] = fixture.receiver.changes()
  assert.equal(others.length, 1)
  assert.equal((change!.value.messages as []).length, 3)
  assert.equal((change!.value.contacts as []).length, 3)
})

test('each post can be duplicated', async (t) => {
  const fixture = await startFixture(t)
  await policy(fixture, { duplicates: 2 })

  await fixture.receive()

  assert.equal(fixture.receiver.posts.length, 3)
  assert.equal(new Set(fixture.receiver.posts.map((post) => post.raw.toString())).size, 1)
})

test('updates can be shuffled, and the same seed gives the same order', async (t) => {
  const order = async () => {
    const fixture = await startFixture(t, { seed: 'shuffle' })
    await policy(fixture, { shuffle: true })
    await converse(fixture, 20)
    await fixture.advance(1_000)
    return fixture.receiver.changes().map(({ value }) => (value.messages as [{ from: string }])[0].from)
  }

  const [first, second] = [await order(), await order()]

  assert.deepEqual(first, second)
  assert.notDeepEqual(first, [...first].sort())
  assert.deepEqual(
    [...first].sort(),
    Array.from({ length: 20 }, (_, person) => String(5511900000000 + person)),
  )
})

test('a webhook can be redelivered', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const [record] = await listWebhooks(fixture)

  await fixture.control('POST', `/webhooks/${record?.id}/redeliver`)

  const [first, second] = fixture.receiver.posts
  assert.deepEqual(first?.raw, second?.raw)
})

test('a callback is set only if it answers the challenge', async (t) => {
  const fixture = await startFixture(t)
  const set = (url: string, verify_token?: string) =>
    fixture.control('PUT', '/callback', { url, ...(verify_token ? { verify_token } : {}) })

  await set(fixture.receiver.url)
  await assert.rejects(set(fixture.receiver.url, 'wrong'), /#2200.*HTTP Status Code = 403/)
  await assert.rejects(set('nonsense'), /The URL is malformed/)
  await assert.rejects(set('http://127.0.0.1:9/'), /could not be reached/)
  const parrot = createServer((_request, response) => response.end('something else'))
  await new Promise<void>((resolve) => parrot.listen(0, '127.0.0.1', resolve))
  t.after(() => parrot.close())
  await assert.rejects(
    set(`http://127.0.0.1:${(parrot.address() as AddressInfo).port}/`),
    /does not match the challenge/,
  )
})

test('updates without a subscription are withheld and logged', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PATCH', `/accounts/${fixture.wabaId}`, { subscribed: false })

  await fixture.receive()

  assert.equal(fixture.receiver.posts.length, 0)
  assert.equal((await listWebhooks(fixture, '?state=withheld')).length, 1)
})

test('the control API can send any field and value, and any bytes with any signature', async (t) => {
  const fixture = await startFixture(t)

  await fixture.control('POST', '/webhooks', {
    waba_id: fixture.wabaId,
    field: 'account_alerts',
    value: { entity_type: 'BUSINESS', alert_info: { alert_severity: 'WARNING' } },
  })
  await fixture.control('POST', '/webhooks', { body: '{"a":"\\u0000"', signature: 'valid' })
  await fixture.control('POST', '/webhooks', { body: '{}', signature: 'wrong' })
  await fixture.control('POST', '/webhooks', { body: '{}', signature: 'none' })

  assert.equal(listValues(fixture.receiver, 'account_alerts')[0]?.entity_type, 'BUSINESS')
  const [, poison, wrong, none] = fixture.receiver.posts
  const { appSecret } = fixture.simulator
  assert.equal(poison?.headers['x-hub-signature-256'], computeSignature(poison?.raw ?? Buffer.alloc(0), appSecret))
  assert.notEqual(wrong?.headers['x-hub-signature-256'], computeSignature(wrong?.raw ?? Buffer.alloc(0), appSecret))
  assert.equal(none?.headers['x-hub-signature-256'], undefined)
})

test('statuses come without requests on a live clock', async (t) => {
  const timings = { sentMs: 1, deliveredMs: 2, readMs: 3 }
  const fixture = await startFixture(t, { clock: 'live', timings })
  await fixture.receive()
  await fixture.send({ type: 'text', text: { body: 'oi' } })

  const { found } = await fixture.control<{ found: boolean }>(
    'GET',
    '/wait?for=webhook&contains="read"&state=delivered',
  )

  assert.ok(found)
  assert.deepEqual(
    listStatuses(fixture.receiver)
      .map(({ status }) => status)
      .sort(),
    ['delivered', 'read', 'sent'],
  )
})

test('at most 64 posts are in flight', async (t) => {
  let open = 0
  let most = 0
  const slow = createServer(async (request, response) => {
    most = Math.max(most, ++open)
    await sleep(5)
    request.resume()
    open -= 1
    response.end()
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  t.after(() => slow.close())
  const callbackUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
  const fixture = await startFixture(t, { clock: 'live', callbackUrl })

  await converse(fixture, 200)
  await fixture.control('GET', '/wait?for=webhook&state=delivered&count=200')

  assert.equal((await listWebhooks(fixture, '?state=delivered')).length, 200)
  assert.ok(most > 1 && most <= 64, `${most} at once`)
})

test('the log has at most five thousand webhooks', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PATCH', `/accounts/${fixture.wabaId}`, { subscribed: false })

  for (let count = 0; count < 5_001; count++) {
    await fixture.control('POST', '/webhooks', { waba_id: fixture.wabaId, field: 'account_alerts', value: {} })
  }

  const records = await listWebhooks(fixture)
  assert.equal(records.length, 5_000)
  assert.equal(records[0]?.id, 'webhook-2')
})

test('retry waits never shrink, and the last attempt is within a week of the update', () => {
  const waits: number[] = []
  let age = 0
  for (;;) {
    const wait = nextWaitMs(RETRY_SCHEDULE, waits.length + 1, age)
    if (wait === undefined) break
    waits.push(wait)
    age += wait
  }

  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
  assert.ok(age <= RETRY_SCHEDULE.giveUpAfterMs)
  assert.ok(age > RETRY_SCHEDULE.giveUpAfterMs - 86_400_000)
})
