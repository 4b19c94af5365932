import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildNoResponseFailure, type FailureKind, parseGraphFailure } from './errors.ts'

function parseError(status: number, members: object) {
  return parseGraphFailure(status, {
    error: { message: '(#0) x', type: 'OAuthException', fbtrace_id: 'A1', ...members },
  })
}

const BY_CODE: [FailureKind, number, number[]][] = [
  ['throttled', 400, [4, 17, 32, 613, 80007, 80008, 130429, 131048, 131056, 131064, 133016, 138002, 138005]],
  ['unavailable', 400, [1, 2, 131000, 131016, 131057, 133004, 138004, 138007]],
  ['refused', 500, [3, 131045, 133000, 134102]],
  ['refused', 400, [10, 33, 100, 131008, 131009, 131030, 131031, 132000, 133005, 133010, 2593107]],
  ['refused', 401, [0, 190, 104]],
  ['refused', 403, [200, 368, 131005]],
  ['refused', 404, [132001]],
  ['throttled', 429, [987654]],
  ['unavailable', 503, [987654]],
  ['refused', 400, [987654]],
]

for (const [kind, status, codes] of BY_CODE) {
  test(`codes ${codes.join(', ')} with status ${status} are ${kind}`, () => {
    for (const code of codes) assert.equal(parseError(status, { code })?.kind, kind, String(code))
  })
}

test('throttling and transient codes are classified regardless of the status', () => {
  assert.equal(parseError(500, { code: 130429 })?.kind, 'throttled')
  assert.equal(parseError(429, { code: 2 })?.kind, 'unavailable')
})

test('131000 with HTTP 500 is an unknown outcome on a send, and unavailable on other calls', () => {
  const parse = (status: number, isSend: boolean) =>
    parseGraphFailure(status, { error: { message: 'x', type: 'OAuthException', code: 131000 } }, { isSend })?.kind

  assert.deepEqual(
    [parse(500, true), parse(500, false), parse(400, true)],
    ['unknown-outcome', 'unavailable', 'unavailable'],
  )
})

test('an error with is_transient is unavailable, and does not refuse the credential', () => {
  const failure = parseError(401, { code: 190, is_transient: true })

  assert.equal(failure?.kind, 'unavailable')
  assert.equal(failure?.isCredentialRefused, false)
})

test('codes of invalid tokens refuse the credential, and codes of missing permissions do not', () => {
  const dead = [0, 102, 190, 10, 100, 104, 200, 368, 131005].filter(
    (code) => parseError(401, { code })?.isCredentialRefused,
  )

  assert.deepEqual(dead, [0, 102, 190])
})

test('all fields of the error object are kept, and the title loses its leading code', () => {
  const error_data = { messaging_product: 'whatsapp', details: 'Message failed to send.' }
  const failure = parseError(400, {
    message: '(#131009) Parameter value is not valid',
    code: 131009,
    error_subcode: 7,
    error_data,
  })

  assert.deepEqual(failure, {
    kind: 'refused',
    status: 400,
    code: 131009,
    error_subcode: 7,
    title: 'Parameter value is not valid',
    details: 'Message failed to send.',
    message: '(#131009) Parameter value is not valid',
    error_user_title: null,
    error_user_msg: null,
    is_transient: null,
    fbtrace_id: 'A1',
    type: 'OAuthException',
    error_data,
    isCredentialRefused: false,
  })
})

test("the upstream's message for users is preferred to its technical message", () => {
  const failure = parseError(400, { code: 100, error_user_title: 'Too many variables', error_user_msg: 'Use fewer.' })

  assert.equal(failure?.title, 'Too many variables')
  assert.equal(failure?.details, 'Use fewer.')
})

test('error_data as plain text becomes the details', () => {
  assert.equal(parseError(400, { code: 100, error_data: 'Bad thing' })?.details, 'Bad thing')
})

const UNREADABLE: [string, number, unknown][] = [
  ['no object', 400, 'error'],
  ['no error', 400, { message: 'no' }],
  ['an error that is text', 400, { error: 'no' }],
  ['an error without a code', 400, { error: { message: 'no', type: 'OAuthException' } }],
  ['an error whose code is text', 400, { error: { message: 'no', code: 'E1' } }],
  [
    "a gateway's error beside a 5xx",
    503,
    { error: { code: 503, message: 'upstream connect error', status: 'UNAVAILABLE' } },
  ],
  ["a gateway's error beside a 200", 200, { error: { code: 503, message: 'x' } }],
]

for (const [what, status, body] of UNREADABLE) {
  test(`a body with ${what} is not an error object of the upstream`, () => {
    assert.equal(parseGraphFailure(status, body), undefined)
  })
}

test('an error without type and trace id counts with a 4xx, which never follows a completed request', () => {
  assert.equal(parseGraphFailure(400, { error: { message: 'no', code: 100 } })?.kind, 'refused')
})

test('without a response a write that may be done has an unknown outcome, and every other call is unavailable', () => {
  const lost = { status: null, traceId: null, cause: null }

  assert.equal(buildNoResponseFailure('write', { ...lost, mayHaveTakenEffect: true }).kind, 'unknown-outcome')
  assert.equal(buildNoResponseFailure('write', { ...lost, mayHaveTakenEffect: false }).kind, 'unavailable')
  assert.equal(buildNoResponseFailure('read', { ...lost, mayHaveTakenEffect: true }).kind, 'unavailable')
  assert.equal(buildNoResponseFailure('read', { ...lost, mayHaveTakenEffect: false }).kind, 'unavailable')
})
