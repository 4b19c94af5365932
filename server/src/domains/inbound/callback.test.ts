import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { buildCallback, buildMessagesEntry, startInbound } from './test/fixture.ts'
import { buildText } from './test/samples.ts'

const MIB = 1024 * 1024

async function startWithCallbacks(t: Parameters<typeof startInbound>[0]) {
  const fixture = await startInbound(t)
  async function stored(): Promise<{ body: Buffer; problem: string | null }[]> {
    return fixture.sql<{ body: Buffer; problem: string | null }[]>`select body, problem from callbacks order by id`
  }
  const before = (await stored()).length
  return { ...fixture, stored: async () => (await stored()).slice(before) }
}

test('a signed callback is an empty 200, and is stored byte for byte', {
  rules: ['callback.is-answered-after-the-commit'],
}, async (t) => {
  const fixture = await startWithCallbacks(t)
  const body = JSON.stringify(buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] })))

  const answer = await fixture.post(body)

  assert.deepEqual([answer.status, answer.text], [200, ''])
  assert.deepEqual(await fixture.stored(), [{ body: Buffer.from(body), problem: null }])
  assert.equal((await fixture.log()).length, 1)
})

for (const [what, header] of Object.entries<(good: string) => Record<string, string>>({
  "another app's": () => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', 'other').update('x').digest('hex')}`,
  }),
  'a truncated': (good) => ({ 'x-hub-signature-256': good.slice(0, -2) }),
  'an extended': (good) => ({ 'x-hub-signature-256': `${good}00` }),
  'an unprefixed': (good) => ({ 'x-hub-signature-256': good.slice('sha256='.length) }),
  'a wrongly prefixed': (good) => ({ 'x-hub-signature-256': good.replace('sha256', 'sha1') }),
  'a malformed': (good) => ({ 'x-hub-signature-256': good.replace(/.$/, 'g') }),
  'an empty': () => ({ 'x-hub-signature-256': '' }),
  'a repeated': (good) => ({ 'x-hub-signature-256': `${good}, ${good}` }),
})) {
  test(`a callback with ${what} signature is 401, and nothing of it is stored`, {
    rules: ['callback.wrong-signature-is-401'],
  }, async (t) => {
    const fixture = await startWithCallbacks(t)
    const body = Buffer.from(
      JSON.stringify(buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] }))),
    )

    const answer = await fixture.post(body, header(fixture.sign(body)))

    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    assert.deepEqual(await fixture.stored(), [])
    assert.deepEqual(await fixture.log(), [])
    assert.deepEqual(await fixture.rawEvents(), [])
  })
}

test('a callback without a signature, or with a SHA-1 signature only, is 401, and nothing of it is stored', {
  rules: ['callback.wrong-signature-is-401'],
}, async (t) => {
  const fixture = await startWithCallbacks(t)
  const body = JSON.stringify(buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] })))
  const sha1 = createHmac('sha1', fixture.up.simulator.appSecret).update(body).digest('hex')

  const bare = await fixture.hub.anonymous.send('POST', '/hooks/upstream', { raw: body })
  const older = await fixture.hub.anonymous.send('POST', '/hooks/upstream', {
    raw: body,
    headers: { 'x-hub-signature': `sha1=${sha1}` },
  })

  assert.deepEqual([bare.status, older.status], [401, 401])
  assert.deepEqual(await fixture.stored(), [])
})

test('a signature in uppercase hexadecimal is accepted', async (t) => {
  const fixture = await startWithCallbacks(t)
  const body = Buffer.from('{"entry":[]}')
  const signature = fixture.sign(body).replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase())

  const answer = await fixture.post(body, { 'x-hub-signature-256': signature })

  assert.equal(answer.status, 200)
})

// Parsing and printing a body changes its bytes, so its signature would not match.
for (const [what, spell] of Object.entries<(text: string) => string>({
  'escaped to ASCII, slashes too': (text) =>
    text
      .replaceAll('/', '\\/')
      .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in UTF-8': (text) => text,
  'with whitespace before, between and after': (text) => ` \r\n\t${JSON.stringify(JSON.parse(text), null, 3)}\n\n`,
})) {
  test(`the signature is over the exact bytes of a callback ${what}`, {
    rules: ['callback.wrong-signature-is-401'],
  }, async (t) => {
    const fixture = await startWithCallbacks(t)
    const message = { ...buildText('wamid.1'), text: { body: 'Pão de açúcar 🥖 </b>' } }
    const bytes = Buffer.from(
      spell(JSON.stringify(buildCallback(buildMessagesEntry(fixture.channel, { messages: [message] })))),
    )
    const printed = Buffer.from(JSON.stringify(JSON.parse(bytes.toString())))

    const right = await fixture.post(bytes)
    const wrong = await fixture.post(bytes, {
      'x-hub-signature-256': fixture.sign(Buffer.concat([printed, Buffer.from(' ')])),
    })

    assert.deepEqual([right.status, wrong.status], [200, 401])
    assert.deepEqual(await fixture.stored(), [{ body: bytes, problem: null }])
    assert.deepEqual((await fixture.log())[0]?.content, message.text)
  })
}

test('a callback of exactly 4 MiB is stored completely, and one of one byte more is 413', {
  rules: ['callback.takes-up-to-4-mib'],
}, async (t) => {
  const fixture = await startWithCallbacks(t)
  const head = Buffer.from(
    JSON.stringify(buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] }))),
  )
  const full = Buffer.concat([head, Buffer.alloc(4 * MIB - head.length, ' ')])

  const over = await fixture.post(Buffer.concat([full, Buffer.from(' ')]))
  const exact = await fixture.post(full)

  assert.deepEqual([over.status, over.body.error.code], [413, 'PAYLOAD_TOO_LARGE'])
  assert.equal(exact.status, 200)
  const [kept, ...others] = await fixture.stored()
  assert.ok(kept?.body.equals(full) && others.length === 0)
  assert.equal((await fixture.log()).length, 1)
})

for (const type of [
  'application/json; charset=latin1',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
]) {
  test(`a callback with the content type "${type}" is accepted`, async (t) => {
    const fixture = await startWithCallbacks(t)
    const body = buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] }))

    const answer = await fixture.post(body, { 'content-type': type })

    assert.equal(answer.status, 200)
    assert.equal((await fixture.log()).length, 1)
  })
}

test('a callback without a content type is accepted', async (t) => {
  const fixture = await startWithCallbacks(t)
  const bytes = Buffer.from(
    JSON.stringify(buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')] }))),
  )

  const answer = await fixture.hub.anonymous.send('POST', '/hooks/upstream', {
    raw: new Uint8Array(bytes),
    headers: { 'x-hub-signature-256': fixture.sign(bytes) },
  })

  assert.equal(answer.status, 200)
  assert.equal((await fixture.log()).length, 1)
})

for (const [what, body] of Object.entries<string | Buffer>({
  'is empty': '',
  'is not JSON': '{"object":',
  'is not UTF-8': Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  'is a text': '"hello"',
  'is null': 'null',
  'is a list': '[{"changes":[]}]',
  'has no entries': '{"object":"whatsapp_business_account"}',
  'has an object in place of entries': '{"entry":{"changes":[]}}',
  'has two bodies in one': '{"entry":[]}{"entry":[]}',
})) {
  test(`a signed callback that ${what} is 200, and is stored with its problem`, {
    rules: ['callback.unreadable-one-is-kept'],
  }, async (t) => {
    const fixture = await startWithCallbacks(t)

    const answer = await fixture.post(body)

    assert.equal(answer.status, 200)
    const [kept, ...others] = await fixture.stored()
    assert.ok(kept?.body.equals(Buffer.from(body)) && others.length === 0)
    assert.match(kept?.problem ?? '', /^The callback .+\.$/)
  })
}

test('a callback for a number without a channel is stored, and makes no event', {
  rules: ['callback.unknown-number-is-stored'],
}, async (t) => {
  const fixture = await startWithCallbacks(t)
  const unrelated = { ...fixture.channel, number: { ...fixture.channel.number, wabaId: '1', phoneNumberId: '2' } }
  const body = JSON.stringify(buildCallback(buildMessagesEntry(unrelated, { messages: [buildText('wamid.1')] })))

  const answer = await fixture.post(body)

  assert.equal(answer.status, 200)
  assert.deepEqual(await fixture.stored(), [{ body: Buffer.from(body), problem: null }])
  assert.deepEqual(await fixture.log(), [])
  assert.deepEqual(await fixture.rawEvents(), [])
})

const CHALLENGE = '1158201444'

async function startChallenge(t: TestContext) {
  const { hub, up } = await startHubWithUpstream(t)
  const { verifyToken } = up.simulator
  const right = { 'hub.mode': 'subscribe', 'hub.challenge': CHALLENGE, 'hub.verify_token': verifyToken }
  function verify(query: Record<string, string>) {
    return hub.anonymous.get(`/hooks/upstream?${new URLSearchParams(query)}`)
  }
  return { right, verify, hub }
}

test('the response to a right verify token is the challenge as plain text', {
  rules: ['callback.challenge-needs-the-verify-token'],
}, async (t) => {
  const { right, verify } = await startChallenge(t)

  const answer = await verify(right)

  assert.equal(answer.status, 200)
  assert.equal(answer.text, CHALLENGE)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
})

test('a challenge of any characters is returned unchanged', async (t) => {
  const { right, verify } = await startChallenge(t)

  const answer = await verify({ ...right, 'hub.challenge': '<b>olá & "tchau"</b> {}' })

  assert.equal(answer.text, '<b>olá & "tchau"</b> {}')
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
})

for (const [what, change] of Object.entries<Record<string, string | undefined>>({
  'another token': { 'hub.verify_token': 'guess' },
  'an empty token': { 'hub.verify_token': '' },
  'no token': { 'hub.verify_token': undefined },
  'another mode': { 'hub.mode': 'unsubscribe' },
  'no mode': { 'hub.mode': undefined },
  'no challenge': { 'hub.challenge': undefined },
  'an empty challenge': { 'hub.challenge': '' },
})) {
  test(`a verification request with ${what} is 401 without the challenge`, {
    rules: ['callback.challenge-needs-the-verify-token'],
  }, async (t) => {
    const { right, verify } = await startChallenge(t)
    const given = Object.entries({ ...right, ...change }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    )

    const answer = await verify(Object.fromEntries(given))

    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    assert.ok(!answer.text.includes(CHALLENGE))
  })
}

test('a verification request with two tokens is 400', async (t) => {
  const { right, hub } = await startChallenge(t)
  const query = `${new URLSearchParams(right)}&hub.verify_token=guess`

  const answer = await hub.anonymous.get(`/hooks/upstream?${query}`)

  assert.equal(answer.status, 400)
})

test('the verify token is not logged', async (t) => {
  const { right, verify, hub } = await startChallenge(t)

  await verify(right)

  assert.ok(!hub.logs.join('').includes(right['hub.verify_token']))
})
