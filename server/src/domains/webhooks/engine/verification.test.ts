import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { test } from 'node:test'
import type { Received } from '../../../../test/receiver.ts'
import { newId } from '../../../kernel/ids.ts'
import { type Endpoint, startWebhooks } from '../test/fixture.ts'

type Headers = Received['headers']

/** The signed content by signature version. */
const SIGNED: Record<string, (headers: Headers, body: Buffer) => Buffer> = {
  v2: (headers, body) =>
    Buffer.concat([Buffer.from(`${headers['x-hub-timestamp']}.${headers['x-hub-delivery-id']}.`), body]),
  'compat-v1': (_headers, body) => body,
}

/** Verifies a delivery by the contract only: version, content, and a comparison in constant time. */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const signed = SIGNED[String(headers['x-hub-signature-version'])]
  const given = headers['x-hub-signature-256']
  if (!signed || typeof given !== 'string') return false
  const hex = given.replace(/^sha256=/, '')
  const own = createHmac('sha256', secret).update(signed(headers, body)).digest('hex')
  return hex.length === own.length && timingSafeEqual(Buffer.from(hex), Buffer.from(own))
}

/** The delivery with one thing changed at a time; `isSigned` is whether the signature covers it. */
function listAlterations(one: Received, format: string): { changed: Received; isSigned: boolean }[] {
  const withHeader = (name: string, value: string | undefined): Received => ({
    ...one,
    headers: { ...one.headers, [name]: value },
  })
  const signature = String(one.headers['x-hub-signature-256'])
  const bodies = [...one.body.keys()].map((at) => Buffer.from(one.body.with(at, (one.body[at] ?? 0) ^ 1)))
  const signatures = [...signature.slice(7)].map((digit, at) => {
    return `${signature.slice(0, 7 + at)}${digit === '0' ? '1' : '0'}${signature.slice(8 + at)}`
  })
  const isNative = format === 'native'
  return [
    ...[...bodies, one.body.subarray(1), Buffer.concat([one.body, Buffer.from(' ')])].map((body) => ({ ...one, body })),
    ...[...signatures, signature.slice(0, -1), '', undefined].map((value) => withHeader('x-hub-signature-256', value)),
    ...[isNative ? 'compat-v1' : 'v2', 'v1', undefined].map((value) => withHeader('x-hub-signature-version', value)),
  ]
    .map((changed) => ({ changed, isSigned: true }))
    .concat([
      { changed: withHeader('x-hub-delivery-id', newId()), isSigned: isNative },
      {
        changed: withHeader('x-hub-timestamp', String(Number(one.headers['x-hub-timestamp']) + 1)),
        isSigned: isNative,
      },
    ])
}

for (const format of ['native', 'compat']) {
  test(`a receiver that follows the contract accepts only genuine ${format} deliveries`, {
    rules: [
      'signature.proves-the-origin',
      'signature.covers-the-bytes-as-sent',
      'signature.documented-steps-accept-genuine-only',
    ],
  }, async (t) => {
    const { hub, endpoint, publish, sendTest, arrived } = await startWebhooks(t)
    const [crm, raw, other]: [Endpoint, Endpoint, Endpoint] = [
      await endpoint({ delivery_format: format }),
      await endpoint({ delivery_format: format, payload_mode: 'upstream_raw' }),
      await endpoint({ delivery_format: format, event_types: ['webhook.test'] }),
    ]

    const channel = { id: newId(), external_id: null, phone_number_id: '1', waba_id: '2', verified_name: 'Pão' }
    await publish({ kind: 'channel.connected', data: { channel, reason: null } }, { kind: 'message.received' })
    await publish({ kind: 'upstream.raw', raw: Buffer.from('{"t" : "é"}\r\n') })
    await sendTest(crm)
    await hub.deliver()

    const deliveries = [crm, raw].flatMap((to) => arrived(to).map((one) => ({ one, secret: to.secret })))
    assert.equal(deliveries.length, 5)
    for (const { one, secret } of deliveries) {
      assert.ok(isGenuine(one, secret))
      assert.ok(!isGenuine(one, other.secret))
      for (const { changed, isSigned } of listAlterations(one, format))
        assert.equal(isGenuine(changed, secret), !isSigned)
    }
  })
}
