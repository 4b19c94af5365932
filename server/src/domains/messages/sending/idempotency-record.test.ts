import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../kernel/errors.ts'
import { buildInvalidCallFailure, type FailureKind } from '../../../upstream/http/errors.ts'
import { hashBody, type KeyedSendResult, toAcceptedMessage, toKeyedSendResult } from './idempotency-record.ts'
import { type FailedOutcome, toMessageError, toOutcome } from './outcome.ts'

const REQUEST = { channelId: 'the channel', bodyHash: Buffer.from('same'), address: '5511900000000' }
const ERROR = { code: 131009, title: 'No', details: 'Because', error_subcode: 7, fbtrace_id: 'A' }
const REPORTED = { code: 131047, title: 'Late', details: null }
const RECORD = {
  body_hash: Buffer.from('same'),
  message_id: 'the message',
  type: 'text',
  created_at: '2026-11-15T12:00:00.000Z',
  upstream_message_id: null,
  accepted_contact: null,
  error: null,
  is_in_progress: false,
}
const WITHOUT_LOG_ENTRY = { type: null, created_at: null, status: null }
const ACCEPTED = { upstream_message_id: 'wamid' }

type Record = Parameters<typeof toKeyedSendResult>[0]

const CASES: [what: string, Partial<Record> & { status: string | null }, KeyedSendResult['kind']][] = [
  ['is being sent', { status: 'sending', is_in_progress: true }, 'in-progress'],
  ['was being sent when its lease expired', { status: 'sending' }, 'unknown'],
  ['has an unknown outcome', { status: 'unknown' }, 'unknown'],
  ['was accepted', { status: 'accepted', ...ACCEPTED }, 'accepted'],
  ['was delivered', { status: 'delivered', ...ACCEPTED }, 'accepted'],
  ['was accepted and failed afterwards', { status: 'failed', ...ACCEPTED, error: REPORTED }, 'accepted'],
  ['was accepted while its lease still runs', { status: 'accepted', ...ACCEPTED, is_in_progress: true }, 'accepted'],
  ['was refused', { status: 'failed', error: ERROR }, 'refused'],
  ['has no log entry any more', WITHOUT_LOG_ENTRY, 'unknown'],
]

for (const [what, record, kind] of CASES) {
  test(`the key of a send that ${what} has the result ${kind}`, () => {
    assert.equal(toKeyedSendResult({ ...RECORD, ...record }, REQUEST).kind, kind)
  })

  test(`another body with the key of a send that ${what} has the result other-body`, () => {
    const result = toKeyedSendResult({ ...RECORD, ...record, body_hash: Buffer.from('other') }, REQUEST)

    assert.deepEqual(result, { kind: 'other-body' })
  })
}

function catchError(result: KeyedSendResult) {
  try {
    toAcceptedMessage(result)
  } catch (err) {
    if (err instanceof AppError) {
      const { reason, parameters, ...details } = err.details
      return { status: err.status, code: err.code, reason, parameters, details }
    }
  }
  return undefined
}

test('each result other than accepted has its error status, code and details', {
  rules: ['send.in-progress-is-409'],
}, () => {
  assert.deepEqual(catchError({ kind: 'refused', error: ERROR }), {
    status: 400,
    code: 'UPSTREAM_REJECTED',
    reason: 'upstream_refused',
    parameters: { title: 'No' },
    details: { code: 131009, error_subcode: 7, title: 'No', details: 'Because', fbtrace_id: 'A' },
  })
  assert.deepEqual(catchError({ kind: 'refused', error: REPORTED })?.details, {
    code: 131047,
    error_subcode: null,
    title: 'Late',
    details: null,
    fbtrace_id: null,
  })
  assert.deepEqual(catchError({ kind: 'in-progress' }), {
    status: 409,
    code: 'OPERATION_IN_PROGRESS',
    reason: 'send_in_progress',
    parameters: {},
    details: {},
  })
  assert.deepEqual(catchError({ kind: 'unknown', messageId: 'm' }), {
    status: 409,
    code: 'SEND_RESULT_UNKNOWN',
    reason: 'send_result_unknown',
    parameters: {},
    details: { message_id: 'm' },
  })
  assert.deepEqual(catchError({ kind: 'other-body' }), {
    status: 400,
    code: 'IDEMPOTENCY_KEY_REUSED',
    reason: 'key_of_another_message',
    parameters: {},
    details: {},
  })
})

test('the result of an accepted send stays the same when its status changes', () => {
  const result = toKeyedSendResult({ ...RECORD, status: 'read', ...ACCEPTED }, REQUEST)

  assert.deepEqual(toAcceptedMessage(result), {
    id: 'the message',
    channel_id: 'the channel',
    status: 'accepted',
    to: '5511900000000',
    type: 'text',
    upstream_message_id: 'wamid',
    contact: null,
    created_at: '2026-11-15T12:00:00.000Z',
  })
})

const hashJson = (json: string) => hashBody(JSON.parse(json)).toString('hex')

/** JSON texts of the same value. */
const SAME: [string, string][] = [
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"a":{"x":1,"y":[{"p":1,"q":2}]}}', ' { "a" : { "y" : [ { "q" : 2 , "p" : 1 } ] , "x" : 1 } } '],
  ['{"b":1,"10":2,"9":3}', '{"9":3,"10":2,"b":1}'],
  ['{"a":"ã"}', '{"a":"\\u00e3"}'],
  ['{"a":1.0}', '{"a":1}'],
]

/** JSON texts of different values. */
const DIFFERENT: [string, string][] = [
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"a":1,"b":null}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":[]}', '{"a":{}}'],
  ['{"a":null}', '{"a":"null"}'],
  ['{"a":{"b":1}}', '{"a":{},"b":1}'],
  ['{"a":"1,\\"b\\":2"}', '{"a":"1","b":2}'],
  ['{"a":"x"}', '{"a":"x "}'],
  ['{"a":"e\\u0301"}', '{"a":"\\u00e9"}'],
]

test('bodies that differ only in member order, white space or escapes have the same hash', () => {
  for (const [a, b] of SAME) assert.equal(hashJson(a), hashJson(b), `${a} and ${b}`)
})

test('different bodies have different hashes', () => {
  for (const [a, b] of DIFFERENT) assert.notEqual(hashJson(a), hashJson(b), `${a} and ${b}`)
})

test('hashing does not change the body', () => {
  const body = JSON.parse('{"b":{"z":1,"a":2},"a":[3]}')

  hashBody(body)

  assert.equal(JSON.stringify(body), '{"b":{"z":1,"a":2},"a":[3]}')
})

const FAILURE = buildInvalidCallFailure('No')

const OUTCOMES: [FailureKind, isCredentialRefused: boolean, FailedOutcome][] = [
  ['refused', false, 'refused'],
  ['refused', true, 'not-sent'],
  ['throttled', false, 'not-sent'],
  ['unavailable', false, 'not-sent'],
  ['unknown-outcome', false, 'unknown'],
]

test('a refusal of the message is final, and a message that was certainly not sent releases its key', () => {
  for (const [kind, isCredentialRefused, outcome] of OUTCOMES) {
    assert.equal(toOutcome({ ...FAILURE, kind, isCredentialRefused }), outcome, `${kind} ${isCredentialRefused}`)
  }
})

test('a stored error has what a replay returns, and a title if the upstream could not be reached', () => {
  const failure = { ...FAILURE, code: 1, details: 'd', error_subcode: 2, fbtrace_id: 'A', status: 400, type: 'T' }

  assert.deepEqual(toMessageError(failure), { code: 1, title: 'No', details: 'd', error_subcode: 2, fbtrace_id: 'A' })
  assert.equal(
    toMessageError({ ...FAILURE, title: null, kind: 'unavailable' }).title,
    'The upstream could not be reached',
  )
  assert.equal(toMessageError({ ...FAILURE, title: null }).title, null)
})
