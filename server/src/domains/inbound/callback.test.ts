import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { textMessage } from './test/samples.ts'
import { callbackOf, saying, startInbound } from './test/scene.ts'

const MIB = 1024 * 1024

async function startCounted(t: Parameters<typeof startInbound>[0]) {
  const scene = await startInbound(t)
  async function stored(): Promise<{ body: Buffer; problem: string | null }[]> {
    return scene.sql<{ body: Buffer; problem: string | null }[]>`select body, problem from callbacks order by id`
  }
  const before = (await stored()).length
  return { ...scene, stored: async () => (await stored()).slice(before) }
}

test('a signed callback is answered 200 with nothing in it, and kept byte for byte', {
  rules: ['D8-04'],
}, async (t) => {
  const scene = await startCounted(t)
  const body = JSON.stringify(callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')] })))

  const answer = await scene.post(body)

  assert.deepEqual([answer.status, answer.text], [200, ''])
  assert.deepEqual(await scene.stored(), [{ body: Buffer.from(body), problem: null }])
  assert.equal((await scene.log()).length, 1)
})

for (const [what, header] of Object.entries<(good: string) => Record<string, string>>({
  'another app’s': () => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', 'other').update('x').digest('hex')}`,
  }),
  'a cut': (good) => ({ 'x-hub-signature-256': good.slice(0, -2) }),
  'a lengthened': (good) => ({ 'x-hub-signature-256': `${good}00` }),
  'an unnamed': (good) => ({ 'x-hub-signature-256': good.slice('sha256='.length) }),
  'a misnamed': (good) => ({ 'x-hub-signature-256': good.replace('sha256', 'sha1') }),
  'a garbled': (good) => ({ 'x-hub-signature-256': good.replace(/.$/, 'g') }),
  'an empty': () => ({ 'x-hub-signature-256': '' }),
  'a repeated': (good) => ({ 'x-hub-signature-256': `${good}, ${good}` }),
})) {
  test(`a callback with ${what} signature is 401, and nothing of it is stored`, { rules: ['D8-03'] }, async (t) => {
    const scene = await startCounted(t)
    const body = Buffer.from(JSON.stringify(callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')] }))))

    const answer = await scene.post(body, header(scene.sign(body)))

    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    assert.deepEqual(await scene.stored(), [])
    assert.deepEqual(await scene.log(), [])
    assert.deepEqual(await scene.raws(), [])
  })
}

test('a callback without a signature, or with the older one alone, is 401, and nothing of it is stored', {
  rules: ['D8-03'],
}, async (t) => {
  const scene = await startCounted(t)
  const body = JSON.stringify(callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')] })))
  const sha1 = createHmac('sha1', scene.up.simulator.appSecret).update(body).digest('hex')

  const bare = await scene.hub.anonymous.send('POST', '/hooks/upstream', { raw: body })
  const older = await scene.hub.anonymous.send('POST', '/hooks/upstream', {
    raw: body,
    headers: { 'x-hub-signature': `sha1=${sha1}` },
  })

  assert.deepEqual([bare.status, older.status], [401, 401])
  assert.deepEqual(await scene.stored(), [])
})

test('a signature in capital digits is the same signature', async (t) => {
  const scene = await startCounted(t)
  const body = Buffer.from('{"entry":[]}')
  const signature = scene.sign(body).replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase())

  const answer = await scene.post(body, { 'x-hub-signature-256': signature })

  assert.equal(answer.status, 200)
})

// A parsed and printed body has other bytes, and would not verify.
for (const [what, spell] of Object.entries<(text: string) => string>({
  'escaped to ASCII, slashes too': (text) =>
    text
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in UTF-8': (text) => text,
  'with blanks before, between and behind': (text) => ` \r\n\t${JSON.stringify(JSON.parse(text), null, 3)}\n\n`,
})) {
  test(`the signature is over the exact bytes of a callback ${what}`, { rules: ['D8-03'] }, async (t) => {
    const scene = await startCounted(t)
    const message = { ...textMessage('wamid.1'), text: { body: 'Pão de açúcar 🥖 </b>' } }
    const bytes = Buffer.from(spell(JSON.stringify(callbackOf(saying(scene.channel, { messages: [message] })))))
    const printed = Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))

    const right = await scene.post(bytes)
    const wrong = await scene.post(bytes, {
      'x-hub-signature-256': scene.sign(Buffer.concat([printed, Buffer.from(' ')])),
    })

    assert.deepEqual([right.status, wrong.status], [200, 401])
    assert.deepEqual(await scene.stored(), [{ body: bytes, problem: null }])
    assert.deepEqual((await scene.log())[0]?.content, message.text)
  })
}

test('a callback of exactly 4 MiB is taken and kept whole, and one of a byte more is 413', {
  rules: ['D8-02'],
}, async (t) => {
  const scene = await startCounted(t)
  const head = Buffer.from(JSON.stringify(callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')] }))))
  const full = Buffer.concat([head, Buffer.alloc(4 * MIB - head.length, ' ')])

  const over = await scene.post(Buffer.concat([full, Buffer.from(' ')]))
  const exact = await scene.post(full)

  assert.deepEqual([over.status, over.body.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.equal(exact.status, 200)
  const [kept, ...others] = await scene.stored()
  assert.ok(kept?.body.equals(full) && others.length === 0)
  assert.equal((await scene.log()).length, 1)
})

for (const type of [
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]) {
  test(`a callback under the content type "${type}" is taken`, async (t) => {
    const scene = await startCounted(t)
    const body = callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')] }))

    const answer = await scene.post(body, { 'content-type': type })

    assert.equal(answer.status, 200)
    assert.equal((await scene.log()).length, 1)
  })
}

test('a callback under no content type is taken', async (t) => {
  const scene = await startCounted(t)
  const bytes = Buffer.from(JSON.stringify(callbackOf(saying(scene.channel, { messages: [textMessage('wamid.1')] }))))

  const answer = await scene.hub.anonymous.send('POST', '/hooks/upstream', {
    raw: new Uint8Array(bytes),
    headers: { 'x-hub-signature-256': scene.sign(bytes) },
  })

  assert.equal(answer.status, 200)
  assert.equal((await scene.log()).length, 1)
})

for (const [what, body] of Object.entries<string | Buffer>({
  'is empty': '',
  'is no JSON': '{"object":',
  'is no UTF-8': Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  'is a text': '"hello"',
  'is null': 'null',
  'is a list': '[{"changes":[]}]',
  'has no entries': '{"object":"whatsapp_business_account"}',
  'has an object in place of entries': '{"entry":{"changes":[]}}',
  'has two bodies in one': '{"entry":[]}{"entry":[]}',
})) {
  test(`a signed callback that ${what} is answered 200, and kept with its problem`, { rules: ['D8-21'] }, async (t) => {
    const scene = await startCounted(t)

    const answer = await scene.post(body)

    assert.equal(answer.status, 200)
    const [kept, ...others] = await scene.stored()
    assert.ok(kept?.body.equals(Buffer.from(body)) && others.length === 0)
    assert.match(kept?.problem ?? '', /^The callback .+\.$/)
  })
}

test('a callback for a number that no channel has is kept, and is nobody’s', { rules: ['D8-08'] }, async (t) => {
  const scene = await startCounted(t)
  const stranger = { ...scene.channel, number: { ...scene.channel.number, wabaId: '1', phoneNumberId: '2' } }
  const body = JSON.stringify(callbackOf(saying(stranger, { messages: [textMessage('wamid.1')] })))

  const answer = await scene.post(body)

  assert.equal(answer.status, 200)
  assert.deepEqual(await scene.stored(), [{ body: Buffer.from(body), problem: null }])
  assert.deepEqual(await scene.log(), [])
  assert.deepEqual(await scene.raws(), [])
})
