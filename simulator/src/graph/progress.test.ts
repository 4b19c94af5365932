import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, startBench, statusesIn, wamidOf } from '../test/harness.ts'

const TEXT = { type: 'text', text: { body: 'oi' } }
const DAY_MS = 86_400_000

function progress(bench: Bench): string[] {
  return statusesIn(bench.receiver).map((status) => status.status)
}

test('a text outside the window is accepted and fails later, by webhook, with 131047', async (t) => {
  const bench = await startBench(t)

  const reply = await bench.send({ ...TEXT, biz_opaque_callback_data: 'our-id' })
  await bench.advance(10_000)

  const [status, ...others] = statusesIn(bench.receiver)
  assert.deepEqual(others, [])
  assert.equal(status?.id, wamidOf(reply))
  assert.equal(status?.status, 'failed')
  assert.equal(status?.errors?.[0]?.code, 131047)
  assert.equal(status?.biz_opaque_callback_data, 'our-id')
})

test('inside the window a text is sent, delivered and read, in this order', async (t) => {
  const bench = await startBench(t)
  await bench.receive()

  const id = wamidOf(await bench.send({ ...TEXT, biz_opaque_callback_data: 'our-id' }))
  await bench.advance(10_000)

  const statuses = statusesIn(bench.receiver)
  assert.deepEqual(progress(bench), ['sent', 'delivered', 'read'])
  for (const status of statuses) {
    assert.equal(status.id, id)
    assert.equal(status.biz_opaque_callback_data, 'our-id')
    assert.equal(status.recipient_id, '5511999990000')
    assert.match(status.timestamp, /^\d{10}$/)
    assert.equal(status.conversation, undefined)
  }
})

test('nothing is told before its time: the clock decides', async (t) => {
  const bench = await startBench(t, { timings: { sentMs: 1_000, deliveredMs: 2_000, readMs: 3_000 } })
  await bench.receive()
  await bench.send(TEXT)

  for (const expected of [[], ['sent'], ['sent', 'delivered'], ['sent', 'delivered', 'read']]) {
    assert.deepEqual(progress(bench), expected)
    await bench.advance(1_000)
  }
})

test('the window belongs to one number and one person, and closes after 24 hours', async (t) => {
  const bench = await startBench(t)
  await bench.receive()
  await bench.advance(DAY_MS - 1)
  await bench.send(TEXT)
  await bench.send({ ...TEXT, to: '5511999990001' })
  await bench.advance(10_000)
  await bench.send(TEXT)
  await bench.advance(10_000)

  const outcomes = statusesIn(bench.receiver).filter(({ status }) => status === 'sent' || status === 'failed')
  assert.deepEqual(
    outcomes.map(({ status, recipient_id }) => [status, recipient_id]),
    [
      ['sent', '5511999990000'],
      ['failed', '5511999990001'],
      ['failed', '5511999990000'],
    ],
  )
})

test('a call from the person opens the window too', async (t) => {
  const bench = await startBench(t)
  await bench.control('POST', '/contacts/5511999990000/calls', { to: bench.phoneId })

  await bench.send(TEXT)
  await bench.advance(1_000)

  assert.equal(progress(bench)[0], 'sent')
})

test('a number that ends in a failure code fails with that code', async (t) => {
  const bench = await startBench(t)

  for (const code of [131026, 131047, 131049, 131053, 131042, 130472]) {
    const to = `55119${code}`
    await bench.receive({}, to)
    await bench.send({ ...TEXT, to })
    await bench.advance(10_000)
    assert.equal(statusesIn(bench.receiver).at(-1)?.errors?.[0]?.code, code)
  }
})

test('a person can be told to fail, to stay offline or not to read', async (t) => {
  const bench = await startBench(t)
  const outcome = async (behaviour: Record<string, boolean | number>) => {
    await bench.control('PUT', '/contacts/5511999990000', {
      behaviour: { delivers: true, reads: true, fails_with: null, ...behaviour },
    })
    await bench.receive()
    bench.receiver.posts.length = 0
    await bench.send(TEXT)
    await bench.advance(10_000)
    return progress(bench)
  }

  assert.deepEqual(await outcome({ delivers: false }), ['sent'])
  assert.deepEqual(await outcome({ reads: false }), ['sent', 'delivered'])
  assert.deepEqual(await outcome({ fails_with: 130403 }), ['failed'])
  assert.deepEqual(await outcome({}), ['sent', 'delivered', 'read'])
})

test('a reaction is only ever sent, and fails with 131009 when its target cannot be reacted to', async (t) => {
  const bench = await startBench(t)
  const { message_id: target } = await bench.receive()
  const react = async (message_id: string) => {
    bench.receiver.posts.length = 0
    const id = wamidOf(await bench.send({ type: 'reaction', reaction: { message_id, emoji: '👍' } }))
    await bench.advance(10_000)
    return { id, statuses: statusesIn(bench.receiver) }
  }

  const good = await react(target)
  assert.deepEqual(
    good.statuses.map(({ status }) => status),
    ['sent'],
  )
  assert.equal((await react('wamid.unknown')).statuses[0]?.errors?.[0]?.code, 131009)
  assert.equal((await react(good.id)).statuses[0]?.errors?.[0]?.code, 131009)
  await bench.advance(30 * DAY_MS - 40_000)
  await bench.receive()
  assert.equal((await react(target)).statuses[0]?.status, 'sent')
  await bench.advance(40_000)
  assert.equal((await react(target)).statuses[0]?.errors?.[0]?.code, 131009)
})

test('media that cannot be fetched or does not fit fails later with 131053', async (t) => {
  const bench = await startBench(t)
  await bench.receive()
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob(['%PDF-1.4 pretending']), 'a.png')
  form.set('type', 'image/png')
  const { id } = (await bench.graph('POST', `/${bench.phoneId}/media`, form)).body as unknown as { id: string }

  await bench.send({ type: 'image', image: { link: 'https://files.invalid/a.png' } })
  await bench.send({ type: 'image', image: { id } })
  await bench.send({ type: 'document', document: { id } })
  await bench.advance(10_000)

  assert.deepEqual(
    statusesIn(bench.receiver).map(({ errors }) => errors?.[0]?.code),
    [131053, 131053, 131053],
  )
})

async function uploadFile(bench: Bench, bytes: string, type: string): Promise<string> {
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('file', new Blob([Buffer.from(bytes, 'latin1')], { type }), 'file')
  return ((await bench.graph('POST', `/${bench.phoneId}/media`, form)).body as unknown as { id: string }).id
}

test('media that fits is sent, by id and by link; a voice message must be ogg', async (t) => {
  const bench = await startBench(t)
  await bench.receive()
  const png = await uploadFile(bench, '\u0089PNG and so on', 'image/png')
  const ogg = await uploadFile(bench, 'OggS and so on', 'audio/ogg; codecs=opus')
  const mp3 = await uploadFile(bench, 'ID3 and so on', 'audio/mpeg')
  const outcome = async (message: Record<string, unknown>) => {
    bench.receiver.posts.length = 0
    wamidOf(await bench.send(message))
    await bench.advance(6_000)
    return progress(bench)[0]
  }

  assert.equal(await outcome({ type: 'image', image: { id: png } }), 'sent')
  assert.equal(await outcome({ type: 'image', image: { link: 'https://example.com/a.png' } }), 'sent')
  assert.equal(await outcome({ type: 'audio', audio: { id: ogg, voice: true } }), 'sent')
  assert.equal(await outcome({ type: 'audio', audio: { id: mp3 } }), 'sent')
  assert.equal(await outcome({ type: 'audio', audio: { id: mp3, voice: true } }), 'failed')
})

test('prices come with sent and with the first of delivered and read, and contacts never with failed', async (t) => {
  const bench = await startBench(t)
  await bench.receive()
  await bench.send(TEXT)
  await bench.send({ ...TEXT, to: '55119131026' })
  await bench.advance(10_000)

  const changes = bench.receiver.changes().filter((change) => change.value.statuses)
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

test('a status never goes backwards, and failed is final', async (t) => {
  const bench = await startBench(t)
  await bench.receive()
  const id = encodeURIComponent(wamidOf(await bench.send(TEXT)))

  await bench.control('POST', `/messages/${id}/status`, { status: 'read' })
  await bench.advance(10_000)
  assert.deepEqual(progress(bench), ['read'])
  assert.equal(statusesIn(bench.receiver)[0]?.pricing?.category, 'service')
  await bench.control('POST', `/messages/${id}/status`, { status: 'failed', code: 131026 })
  await bench.control('POST', `/messages/${id}/status`, { status: 'played' })
  assert.deepEqual(progress(bench), ['read', 'failed'])
})

test('a user id that nobody has fails later with 131026', async (t) => {
  const bench = await startBench(t)

  wamidOf(await bench.send({ ...TEXT, to: undefined, recipient: 'BR.1' }))
  await bench.advance(10_000)

  assert.equal(statusesIn(bench.receiver)[0]?.errors?.[0]?.code, 131026)
})

test('a person who hides their number has a user id in webhooks and no phone', async (t) => {
  const bench = await startBench(t)
  await bench.control('PUT', '/contacts/5511999990000', { username: 'ana', hides_phone: true })
  await bench.receive()
  const { body } = await bench.send(TEXT)
  await bench.advance(10_000)

  const [contact] = (body as unknown as { contacts: [{ wa_id?: string; user_id: string }] }).contacts
  assert.equal(contact.wa_id, undefined)
  for (const status of statusesIn(bench.receiver)) {
    assert.equal(status.recipient_id, undefined)
    assert.equal(status.recipient_user_id, contact.user_id)
  }
  const [message] = bench.receiver.changes()[0]!.value.messages as [{ from?: string; from_user_id: string }]
  assert.equal(message.from, undefined)
  assert.equal(message.from_user_id, contact.user_id)
})
