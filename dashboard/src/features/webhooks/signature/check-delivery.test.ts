import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signWebhook } from '@hubline/sdk'
import { setReader } from '../../../../test/reader.ts'
import { writeHeaders } from '../delivery/request-text.ts'
import { checkDelivery, type Format, type Pasted, parseHeaders } from './check-delivery.ts'

const SECRET = 'whsec_correct'
const BODY = '{"event":"message.received","data":{}}'
const NOW = '2026-11-17T12:00:00Z'
const NOW_SECONDS = Date.parse(NOW) / 1000

async function sign(format: Format, { body = BODY, timestamp = NOW_SECONDS } = {}): Promise<Pasted> {
  const headers = await signWebhook(SECRET, body, { format, timestamp, deliveryId: crypto.randomUUID() })
  return { headers: writeHeaders(headers), body, secret: SECRET, format: undefined }
}

function freeze(t: TestContext): void {
  setReader(t, { now: NOW })
}

test('a delivery that a receiver accepts passes every check, in both formats', async (t) => {
  freeze(t)
  const native = await checkDelivery({ ...(await sign('native')), format: 'native' })
  const compat = await checkDelivery({ ...(await sign('compat')), format: 'compat' })

  const signed = {
    isAccepted: true,
    isFormed: true,
    signature: { isRight: true },
    event: 'message.received',
    isJson: true,
  }
  assert.deepEqual(native, { ...signed, version: { format: 'native', version: 'v2' }, ageSeconds: 0 })
  assert.deepEqual(compat, { ...signed, version: { format: 'compat', version: 'compat-v1' }, ageSeconds: null })
})

test('a wrong signature is explained by what would make it right', async (t) => {
  freeze(t)
  const native = await sign('native')
  const compat = await sign('compat')
  const other = native.headers.replace('X-Hub-Signature-Version: v2', 'X-Hub-Signature-Version: compat-v1')
  const rows: [Pasted, string][] = [
    [{ ...native, secret: ` ${SECRET}\n` }, 'causeSecret'],
    [{ ...native, body: `${BODY}\n` }, 'causeTrimmed'],
    [{ ...native, body: JSON.stringify(JSON.parse(BODY), null, 2) }, 'causeFormatted'],
    [{ ...native, headers: other }, 'causeOther'],
    [{ ...compat, headers: compat.headers.replace('compat-v1', 'v2') }, 'causeOther'],
    [{ ...native, secret: 'whsec_other' }, 'causeUnknown'],
    [{ ...native, body: '{"event":"message.sent"}' }, 'causeUnknown'],
  ]
  for (const [pasted, cause] of rows) {
    const { isAccepted, signature } = await checkDelivery(pasted)
    assert.equal(isAccepted, false)
    assert.equal(signature?.isRight === false && signature.cause, cause)
  }
})

test('a wrong signature has the one beside it that the secret makes', async (t) => {
  freeze(t)
  const pasted = await sign('native')
  const { 'x-hub-signature-256': right } = parseHeaders(pasted.headers)

  const { signature } = await checkDelivery({
    ...pasted,
    headers: pasted.headers.replace(/[0-9a-f]{64}/, '0'.repeat(64)),
  })

  assert.deepEqual(signature, { isRight: false, expected: right, cause: 'causeUnknown' })
})

test('an old delivery has a right signature and is refused for its age', async (t) => {
  freeze(t)
  for (const [ageSeconds, isAccepted] of [
    [299, true],
    [301, false],
    [-301, false],
  ] as const) {
    const checked = await checkDelivery(await sign('native', { timestamp: NOW_SECONDS - ageSeconds }))
    assert.deepEqual(
      [checked.isAccepted, checked.signature, checked.ageSeconds],
      [isAccepted, { isRight: true }, ageSeconds],
    )
  }
})

test('a timestamp that is missing or no number is as far from now as can be', async (t) => {
  freeze(t)
  const { headers, ...pasted } = await sign('native')
  for (const line of ['', 'X-Hub-Timestamp: yesterday']) {
    const checked = await checkDelivery({ ...pasted, headers: headers.replace(/^X-Hub-Timestamp.*$/m, line) })
    assert.equal(checked.ageSeconds, Number.POSITIVE_INFINITY)
  }
})

test('checks stop where a receiver stops', async (t) => {
  freeze(t)
  const pasted = await sign('native')
  const missing = await checkDelivery({ ...pasted, headers: '' })
  const unformed = await checkDelivery({ ...pasted, headers: pasted.headers.replace('sha256=', 'sha1=') })
  const other = await checkDelivery({ ...pasted, format: 'compat' })

  assert.deepEqual(missing, {
    isAccepted: false,
    version: { refused: 'versionMissing' },
    isFormed: false,
    isJson: true,
  })
  assert.deepEqual([unformed.isFormed, unformed.signature], [false, undefined])
  assert.deepEqual([other.isAccepted, other.version], [false, { refused: 'versionOther', format: 'native' }])
})

test('a signed body that is no JSON is refused for that alone', async (t) => {
  freeze(t)
  const checked = await checkDelivery(await sign('native', { body: 'event=message.received' }))

  assert.deepEqual([checked.isAccepted, checked.signature, checked.isJson], [false, { isRight: true }, false])
})

test('a body is named by its event in each format', async (t) => {
  freeze(t)
  const rows = [
    ['{"event":"message.received"}', 'message.received'],
    ['{"event_type":"channel.connected"}', 'channel.connected'],
    ['{"object":"whatsapp_business_account"}', 'whatsapp_business_account'],
    ['null', 'JSON'],
    ['[]', 'JSON'],
  ] as const
  for (const [body, event] of rows) assert.equal((await checkDelivery(await sign('compat', { body }))).event, event)
})

test('headers are read from a log with its spaces and line ends, and other lines are left out', () => {
  assert.deepEqual(
    parseHeaders('POST /hooks HTTP/1.1\r\n X-Hub-Event :  webhook.test \r\nDate: Tue, 17 Nov 12:00\r\n\r\n'),
    {
      'x-hub-event': 'webhook.test',
      date: 'Tue, 17 Nov 12:00',
    },
  )
})
