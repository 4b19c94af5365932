import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSignatureHeaders, type DeliveryFormat, type SignatureInput } from './signature.ts'

const DELIVERY_ID = '0198c2f0-7a5b-7c3d-8e4f-123456789abc'

function computeSignature(format: DeliveryFormat, signed: Partial<SignatureInput>): string {
  const all = {
    deliveryId: DELIVERY_ID,
    timestamp: 1_700_000_000,
    payload: Buffer.alloc(0),
    secret: 'whsec_abc',
    ...signed,
  }
  return buildSignatureHeaders(format, all)['X-Hub-Signature-256']
}

// Computed with `openssl dgst -sha256 -hmac`.
test('a native delivery has the version v2 and signs its timestamp, its id and the payload', {
  rules: ['D5-05', 'SIG-02'],
}, () => {
  const payload = Buffer.from('{"hello":"world"}')

  const headers = buildSignatureHeaders('native', {
    deliveryId: DELIVERY_ID,
    timestamp: 1_700_000_000,
    payload,
    secret: 'whsec_abc',
  })

  assert.deepEqual(headers, {
    'X-Hub-Delivery-Id': DELIVERY_ID,
    'X-Hub-Timestamp': '1700000000',
    'X-Hub-Signature-Version': 'v2',
    'X-Hub-Signature-256': 'sha256=7dda3a87ac76c988adb5b9913103f5d1ef6a084e16b9420009241e2ee4a54047',
  })
})

test('a compat delivery signs the payload alone, and has the id and timestamp headers', {
  rules: ['SIG-03', 'SIG-06'],
}, () => {
  const payload = Buffer.from('{"hello":"world"}')

  const headers = buildSignatureHeaders('compat', {
    deliveryId: DELIVERY_ID,
    timestamp: 1_700_000_000,
    payload,
    secret: 'whsec_abc',
  })

  assert.deepEqual(headers, {
    'X-Hub-Delivery-Id': DELIVERY_ID,
    'X-Hub-Timestamp': '1700000000',
    'X-Hub-Signature-Version': 'compat-v1',
    'X-Hub-Signature-256': 'sha256=60acb333210c6fa44449a2ffc50633c3d3c2cbb1e6119117264bac28075acb0b',
  })
})

// RFC 4231, test case 2.
test('the HMAC equals the test vector of RFC 4231', { rules: ['SIG-01'] }, () => {
  const signature = computeSignature('compat', { secret: 'Jefe', payload: Buffer.from('what do ya want for nothing?') })

  assert.equal(signature, 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})

// Computed with Python's hmac. The payload is not valid UTF-8, so that decoding it would change the signature.
test('the HMAC key is the whole secret in UTF-8, and the payload is signed as bytes', {
  rules: ['D5-05', 'SIG-01', 'SIG-04'],
}, () => {
  const raw = { secret: 'ção🔑', payload: Buffer.from([0xff, 0xfe, 0x00, 0x0a]), timestamp: 1, deliveryId: 'id' }

  const signatures = [computeSignature('native', raw), computeSignature('compat', raw)]

  assert.deepEqual(signatures, [
    'sha256=c183a8d7e69cffe1cd3e82fc3996eb9a042fab70a8bcbcb355e24292a43571a5',
    'sha256=1cd5c5436a61698cedf0aeffbd32a272d43db33c92ad7a45a381f7892e0fffc4',
  ])
})

test('an empty payload is signed', () => {
  assert.equal(
    computeSignature('native', {}),
    'sha256=1eaff53de1249c5ea0a34ba8d35c7d9beb04449ff877e016020af1b4d633412b',
  )
})
