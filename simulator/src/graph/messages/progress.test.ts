import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listStatuses, readWamid, startFixture } from '../../test/harness.ts'

const TEXT = { type: 'text', text: { body: 'oi' } }
const DAY_MS = 86_400_000

function progress(fixture: Fixture): string[] {
  return listStatuses(fixture.receiver).map((status) => status.status)
}

test('a text outside the window is accepted and fails later, by webhook, with 131047', async (t) => {
  const fixture = await startFixture(t)

  const reply = await fixture.send({ ...TEXT, biz_opaque_callback_data: 'our-id' })
  await fixture.advance(10_000)

  const [status, ...others] = listStatuses(fixture.receiver)
  assert.deepEqual(others, [])
  assert.equal(status?.id, readWamid(reply))
  assert.equal(status?.status, 'failed')
  assert.equal(status?.errors?.[0]?.code, 131047)
  assert.equal(status?.biz_opaque_callback_data, 'our-id')
})

test('a text inside the window is sent, delivered and read, in this order', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()

  const id = readWamid(await fixture.send({ ...TEXT, biz_opaque_callback_data: 'our-id' }))
  await fixture.advance(10_000)

  const statuses = listStatuses(fixture.receiver)
  assert.deepEqual(progress(fixture), ['sent', 'delivered', 'read'])
  for (const status of statuses) {
    assert.equal(status.id, id)
    assert.equal(status.biz_opaque_callback_data, 'our-id')
    assert.equal(status.recipient_id, '5511999990000')
    assert.match(status.timestamp, /^\d{10}$/)
    assert.equal(status.conversation, undefined)
  }
})

test('statuses come only when the clock reaches them', async (t) => {
  const fixture = await startFixture(t, { timings: { sentMs: 1_000, deliveredMs: 2_000, readMs: 3_000 } })
  await fixture.receive()
  await fixture.send(TEXT)

  for (const expected of [[], ['sent'], ['sent', 'delivered'], ['sent', 'delivered', 'read']]) {
    assert.deepEqual(progress(fixture), expected)
    await fixture.advance(1_000)
  }
})

test('the window belongs to one number and one person, and closes after 24 hours', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await fixture.advance(DAY_MS - 1)
  await fixture.send(TEXT)
  await fixture.send({ ...TEXT, to: '5511999990001' })
  await fixture.advance(10_000)
  await fixture.send(TEXT)
  await fixture.advance(10_000)

  const outcomes = listStatuses(fixture.receiver).filter(({ status }) => status === 'sent' || status === 'failed')
  assert.deepEqual(
    outcomes.map(({ status, recipient_id }) => [status, recipient_id]),
    [
      ['sent', '5511999990000'],
      ['failed', '5511999990001'],
      ['failed', '5511999990000'],
    ],
  )
})

test('a call from the person opens the window', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('POST', '/contacts/5511999990000/calls', { to: fixture.phoneId })

  await fixture.send(TEXT)
  await fixture.advance(1_000)

  assert.equal(progress(fixture)[0], 'sent')
})

test('a number that ends in a failure code fails with that code', async (t) => {
  const fixture = await startFixture(t)

  for (const code of [131026, 131047, 131049, 131053, 131042, 130472]) {
    const to = `55119${code}`
    await fixture.receive({}, to)
    await fixture.send({ ...TEXT, to })
    await fixture.advance(10_000)
    assert.equal(listStatuses(fixture.receiver).at(-1)?.errors?.[0]?.code, code)
  }
})

test('a person can be configured to fail, to stay offline or not to read', async (t) => {
  const fixture = await startFixture(t)
  const outcome = async (behavior: Record<string, boolean | number>) => {
    await fixture.control('PUT', '/contacts/5511999990000', {
      behavior: { delivers: true, reads: true, fails_with: null, ...behavior },
    })
    await fixture.receive()
    fixture.receiver.posts.length = 0
    await fixture.send(TEXT)
    await fixture.advance(10_000)
    return progress(fixture)
  }

  assert.deepEqual(await outcome({ delivers: false }), ['sent'])
  assert.deepEqual(await outcome({ reads: false }), ['sent', 'delivered'])
  assert.deepEqual(await outcome({ fails_with: 130403 }), ['failed'])
  assert.deepEqual(await outcome({}), ['sent', 'delivered', 'read'])
})

test('a reaction only gets the status sent, and fails with 131009 for an invalid target', async (t) => {
  const fixture = await startFixture(t)
  const { message_id: target } = await fixture.receive()
  const react = async (message_id: string) => {
    fixture.receiver.posts.length = 0
    const id = readWamid(await fixture.send({ type: 'reaction', reaction: { message_id, emoji: '👍' } }))
    await fixture.advance(10_000)
    return { id, statuses: listStatuses(fixture.receiver) }
  }

  const good = await react(target)
  assert.deepEqual(
    good.statuses.map(({ status }) => status),
    ['sent'],
  )
  assert.equal((await react('wamid.unknown')).statuses[0]?.errors?.[0]?.code, 131009)
  assert.equal((await react(good.id)).statuses[0]?.errors?.[0]?.code, 131009)
  await fixture.advance(30 * DAY_MS - 40_000)
  await fixture.receive()
  assert.equal((await react(target)).statuses[0]?.status, 'sent')
  await fixture.advance(40_000)
  assert.equal((await react(target)).statuses[0]?.errors?.[0]?.code, 131009)
})

test('media that cannot be fetched or is not valid for the message type fails later with 131053', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob(['%PDF-1.4 pretending']), 'a.png')
  form.set('type', 'image/png')
  const { id } = (await fixture.graph('POST', `/${fixture.phoneId}/media`, form)).body as unknown as { id: string }

  await fixture.send({ type: 'image', image: { link: 'https://files.invalid/a.png' } })
  await fixture.send({ type: 'image', image: { id } })
  await fixture.send({ type: 'document', document: { id } })
  await fixture.advance(10_000)

  assert.deepEqual(
    listStatuses(fixture.receiver).map(({ errors }) => errors?.[0]?.code),
    [131053, 131053, 131053],
  )
})

async function uploadFile(fixture: Fixture, bytes: string, type: string): Promise<string> {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob([Buffer.from(bytes, 'latin1')], { type }), 'file')
  return ((await fixture.graph('POST', `/${fixture.phoneId}/media`, form)).body as unknown as { id: string }).id
}

test('valid media is sent by id and by link; a voice message must be ogg', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const png = await uploadFile(fixture, '\u0089PNG and so on', 'image/png')
  const ogg = await uploadFile(fixture, 'OggS and so on', 'audio/ogg; codecs=opus')
  const mp3 = await uploadFile(fixture, 'ID3 and so on', 'audio/mpeg')
  const outcome = async (message: Record<string, unknown>) => {
    fixture.receiver.posts.length = 0
    readWamid(await fixture.send(message))
    await fixture.advance(6_000)
    return progress(fixture)[0]
  }

  assert.equal(await outcome({ type: 'image', image: { id: png } }), 'sent')
  assert.equal(await outcome({ type: 'image', image: { link: 'https://example.com/a.png' } }), 'sent')
  assert.equal(await outcome({ type: 'audio', audio: { id: ogg, voice: true } }), 'sent')
  assert.equal(await outcome({ type: 'audio', audio: { id: mp3 } }), 'sent')
  assert.equal(await outcome({ type: 'audio', audio: { id: mp3, voice: true } }), 'failed')
})

test('pricing comes with sent and the first of delivered and read, and failed has no contacts', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await fixture.send(TEXT)
  await fixture.send({ ...TEXT, to: '55119131026' })
  await fixture.advance(10_000)

  const changes = fixture.receiver.changes().filter((change) => change.value.statuses)
  const seen = changes.map(({ value }) => {
    const [status] = value.statuses as [{ status: string; pricing?: { type: string; billable: boolean } }]
    return [status.status, status.pricing?.type, value.contacts !== undefined]
  })
  assert.deepEqual(seen, [
    ['sent', 'free_customer_service', true],
    ['failed', undefined, false],
    ['delivered', 'free_customer_service', true],
    ['read', undefined, true],
  ])
})

test('a status never goes back, and failed is final', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const id = encodeURIComponent(readWamid(await fixture.send(TEXT)))

  await fixture.control('POST', `/messages/${id}/status`, { status: 'read' })
  await fixture.advance(10_000)
  assert.deepEqual(progress(fixture), ['read'])
  assert.equal(listStatuses(fixture.receiver)[0]?.pricing?.category, 'service')
  await fixture.control('POST', `/messages/${id}/status`, { status: 'failed', code: 131026 })
  await fixture.control('POST', `/messages/${id}/status`, { status: 'played' })
  assert.deepEqual(progress(fixture), ['read', 'failed'])
})

test('an unknown user id fails later with 131026', async (t) => {
  const fixture = await startFixture(t)

  readWamid(await fixture.send({ ...TEXT, to: undefined, recipient: 'BR.1' }))
  await fixture.advance(10_000)

  assert.equal(listStatuses(fixture.receiver)[0]?.errors?.[0]?.code, 131026)
})

test('a person who hides their number has only a user id in webhooks', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PUT', '/contacts/5511999990000', { username: 'ana', hides_phone: true })
  await fixture.receive()
  await fixture.send(TEXT)
  await fixture.advance(10_000)

  const userId = await fixture.readUserId()
  for (const status of listStatuses(fixture.receiver)) {
    assert.equal(status.recipient_id, undefined)
    assert.equal(status.recipient_user_id, userId)
  }
  const [message] = fixture.receiver.changes()[0]!.value.messages as [{ from?: string; from_user_id: string }]
  assert.equal(message.from, undefined)
  assert.equal(message.from_user_id, userId)
})
