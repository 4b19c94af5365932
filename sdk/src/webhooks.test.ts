import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { HubSignatureError } from './errors.ts'
import { type DeliveryFormat, signWebhook, verifyWebhook } from './webhooks.ts'

type Signed = {
  name: string
  format: DeliveryFormat
  secret: string
  delivery_id: string
  timestamp: number
  body?: string
  body_base64?: string
  headers: Record<string, string>
}
type Rotated = Signed & { previous_secret: string }
type Refused = { name: string; secret: string; body: string; headers: Record<string, string> }

/** The tests of the hub use these too. */
const FILE = join(import.meta.dirname, '../../docs/guides/webhook-signatures.json')
const { signed, rotated, refused }: { signed: Signed[]; rotated: Rotated[]; refused: Refused[] } = JSON.parse(
  readFileSync(FILE, 'utf8'),
)

const SECRET = 'whsec_abc'
const BODY = '{"hello":"world"}'
const NOW = 1_700_000_000_000
const [native, compat] = signed.map(({ headers }) => headers) as [Record<string, string>, Record<string, string>]

function readBody({ body, body_base64 }: Signed): string | Uint8Array {
  return body ?? new Uint8Array(Buffer.from(body_base64 ?? '', 'base64'))
}

for (const vector of signed) {
  test(`signWebhook and verifyWebhook follow the test vector: ${vector.name}`, {
    rules: ['signature.documented-steps-accept-genuine-only'],
  }, async () => {
    const { secret, format, delivery_id: deliveryId, timestamp, headers } = vector
    const rawBody = readBody(vector)
    const options = { now: timestamp * 1000 }

    assert.deepEqual(await signWebhook(secret, rawBody, { format, deliveryId, timestamp }), headers)
    if (typeof rawBody === 'string' && rawBody.startsWith('{')) {
      assert.deepEqual(await verifyWebhook(secret, headers, rawBody, options), JSON.parse(rawBody))
    } else {
      await assert.rejects(verifyWebhook(secret, headers, rawBody, options), /signed, but its body is no JSON/)
    }
  })
}

for (const { name, secret, previous_secret, headers, body = '' } of rotated) {
  test(`either secret is enough: ${name}`, { rules: ['signature.verifiers-take-several-secrets'] }, async () => {
    for (const secrets of [secret, previous_secret, [undefined, '', previous_secret], ['whsec_other', secret]]) {
      assert.deepEqual(await verifyWebhook(secrets, headers, body, { now: NOW }), JSON.parse(body))
    }
    for (const secrets of ['whsec_other', ['whsec_other', 'whsec_older']]) {
      await assert.rejects(verifyWebhook(secrets, headers, body, { now: NOW }), HubSignatureError)
    }
    await assert.rejects(verifyWebhook([undefined, ''], headers, body, { now: NOW }), TypeError)
  })
}

for (const id of ['', 'last', '0198c2f0-7a5b-7c3d-8e4f-123456789abc.', '0198c2f0-7a5b-7c3d-8e4f-123456789abc\n']) {
  test(`a delivery id that is no UUID is refused although it is signed: ${JSON.stringify(id)}`, {
    rules: ['signature.verifiers-need-a-uuid'],
  }, async () => {
    for (const format of ['native', 'compat'] as const) {
      const headers = await signWebhook(SECRET, BODY, { format, deliveryId: id })

      await assert.rejects(verifyWebhook(SECRET, headers, BODY), /no id that is a UUID/)
    }
  })
}

for (const { name, secret, body, headers } of refused) {
  test(`a delivery is refused: ${name}`, { rules: ['signature.documented-steps-accept-genuine-only'] }, async () => {
    await assert.rejects(verifyWebhook(secret, headers, body, { now: NOW }), (err) => {
      return err instanceof HubSignatureError && err.code === 'INVALID_SIGNATURE' && !/no JSON/.test(err.message)
    })
  })
}

test('any body is accepted as it was signed, and refused with any bit changed or another secret', {
  rules: ['sdk.verify-accepts-genuine-only'],
}, async () => {
  const json = fc.json().map((text) => new TextEncoder().encode(text))
  const format = fc.constantFrom<DeliveryFormat>('native', 'compat')
  const secret = fc.string({ minLength: 1, unit: 'binary' })

  await fc.assert(
    fc.asyncProperty(json, format, secret, fc.nat(), async (body, signedAs, key, at) => {
      const headers = await signWebhook(key, body, { format: signedAs })
      const altered = Uint8Array.from(body)
      altered[at % body.length] = (body[at % body.length] ?? 0) ^ (1 << (at % 8))

      assert.deepEqual(await verifyWebhook(key, headers, body), JSON.parse(new TextDecoder().decode(body)))
      await assert.rejects(verifyWebhook(key, headers, altered), /does not match/)
      await assert.rejects(verifyWebhook(`${key}x`, headers, body), /does not match/)
    }),
    { numRuns: 20 },
  )
})

const HEADERS: [string, Headers | Record<string, string | string[] | undefined>][] = [
  ['of fetch', new Headers(native)],
  ['of Node', Object.fromEntries(Object.entries(native).map(([name, value]) => [name.toLowerCase(), value]))],
  ['in upper case', Object.fromEntries(Object.entries(native).map(([name, value]) => [name.toUpperCase(), value]))],
]

for (const [title, headers] of HEADERS) {
  test(`headers are taken ${title}`, async () => {
    assert.deepEqual(await verifyWebhook(SECRET, headers, BODY, { now: NOW }), { hello: 'world' })
  })
}

test('the body is taken as text, as bytes and as a buffer', async () => {
  const bytes = new TextEncoder().encode(BODY)

  for (const rawBody of [BODY, bytes, bytes.buffer, Buffer.from(BODY), new Uint8Array(bytes.buffer, 0)]) {
    assert.deepEqual(await verifyWebhook(SECRET, native, rawBody, { now: NOW }), { hello: 'world' })
  }
})

test('a header that came twice is refused', { rules: ['sdk.verify-accepts-genuine-only'] }, async () => {
  const name = 'x-hub-signature-256'
  const value = native['X-Hub-Signature-256'] ?? ''
  const twice = new Headers(native)
  twice.append(name, value)

  for (const headers of [{ ...native, [name]: value }, { ...native, 'X-Hub-Signature-256': [value, value] }, twice]) {
    await assert.rejects(verifyWebhook(SECRET, headers, BODY, { now: NOW }), HubSignatureError)
  }
})

for (const seconds of [301, -301]) {
  test(`a native delivery ${seconds} seconds from now is refused, and a compat one is not`, {
    rules: ['sdk.verify-refuses-old-deliveries'],
  }, async () => {
    const now = NOW + seconds * 1000

    await assert.rejects(verifyWebhook(SECRET, native, BODY, { now }), /301 seconds from now/)
    assert.ok(await verifyWebhook(SECRET, native, BODY, { now, toleranceSeconds: 301 }))
    assert.ok(await verifyWebhook(SECRET, compat, BODY, { now }))
  })
}

test('a native delivery is five minutes old at most, by the clock of the receiver', {
  rules: ['sdk.verify-refuses-old-deliveries'],
}, async () => {
  const fresh = await signWebhook(SECRET, BODY)
  const old = await signWebhook(SECRET, BODY, { timestamp: Math.floor(Date.now() / 1000) - 3600 })

  assert.deepEqual(await verifyWebhook(SECRET, fresh, BODY), { hello: 'world' })
  await assert.rejects(verifyWebhook(SECRET, old, BODY), HubSignatureError)
})

for (const timestamp of ['NaN', '', 'Infinity', '1e999', '-1700000000']) {
  test(`the signed timestamp ${JSON.stringify(timestamp)} is refused`, async () => {
    const headers = await signWebhook(SECRET, BODY, { timestamp: timestamp as unknown as number })

    await assert.rejects(verifyWebhook(SECRET, headers, BODY, { now: NOW }), HubSignatureError)
  })
}

// The version is not signed: with one that skips the check of the time, an old delivery could be repeated.
for (const version of ['constructor', '__proto__', 'toString', 'V2', '']) {
  test(`the version ${JSON.stringify(version)} is refused, also with a signature that is right`, {
    rules: ['sdk.verify-refuses-old-deliveries'],
  }, async () => {
    const headers = new Headers({ ...native, 'X-Hub-Signature-Version': version })

    await assert.rejects(
      verifyWebhook(SECRET, headers, BODY, { now: NOW + 3_600_000 }),
      /no signature that this version/,
    )
  })
}

test('an endpoint that expects one format refuses the other', {
  rules: ['sdk.verify-can-require-a-format'],
}, async () => {
  assert.ok(await verifyWebhook(SECRET, native, BODY, { now: NOW, format: 'native' }))
  assert.ok(await verifyWebhook(SECRET, compat, BODY, { now: NOW, format: 'compat' }))
  await assert.rejects(verifyWebhook(SECRET, compat, BODY, { now: NOW, format: 'native' }), HubSignatureError)
  await assert.rejects(verifyWebhook(SECRET, native, BODY, { now: NOW, format: 'compat' }), HubSignatureError)
})

for (const body of [undefined, null, { hello: 'world' }, 7]) {
  test(`the body ${JSON.stringify(body)} is a mistake of the receiver, not of the sender`, async () => {
    await assert.rejects(verifyWebhook(SECRET, native, body as unknown as string), TypeError)
  })
}

for (const secret of ['', undefined]) {
  test(`the secret ${JSON.stringify(secret)} is a mistake of the receiver`, async () => {
    await assert.rejects(verifyWebhook(secret as string, native, BODY), TypeError)
  })
}
