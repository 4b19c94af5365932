import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildSignatureHeaders, type DeliveryFormat } from './signature.ts'

type Vector = {
  name: string
  format: DeliveryFormat
  secret: string
  delivery_id: string
  timestamp: number
  body?: string
  body_base64?: string
  headers: Record<string, string>
}

/** The tests of the SDK and the documents use these too. Computed with Python's hmac; the first ones also with openssl. */
const FILE = join(import.meta.dirname, '../../../../../docs/guides/webhook-signatures.json')
const { signed, rotated }: { signed: Vector[]; rotated: (Vector & { previous_secret: string })[] } = JSON.parse(
  readFileSync(FILE, 'utf8'),
)

for (const vector of [...signed, ...rotated] as (Vector & { previous_secret?: string })[]) {
  test(`the headers of a delivery are those of the test vector: ${vector.name}`, {
    rules: [
      'signature.proves-the-origin',
      'signature.native-covers-time-id-and-body',
      'signature.covers-the-bytes-as-sent',
    ],
  }, () => {
    const { format, delivery_id: deliveryId, timestamp, secret, body = '', body_base64 } = vector
    const payload = body_base64 === undefined ? Buffer.from(body) : Buffer.from(body_base64, 'base64')

    const { previous_secret: previousSecret } = vector
    const headers = buildSignatureHeaders(format, { deliveryId, timestamp, payload, secret, previousSecret })

    assert.deepEqual(headers, vector.headers)
  })
}

test('the test vectors have both formats', () => {
  assert.deepEqual(new Set(signed.map(({ format }) => format)), new Set(['native', 'compat']))
})
