import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorBody } from '../../kernel/http/error-handler.ts'
import { buildNoResponseFailure, parseGraphFailure } from '../../upstream/http/errors.ts'
import { toFacadeError, toFacadeErrorOrNotFound } from './errors.ts'

const DATA = { messaging_product: 'whatsapp', details: 'Too long.' }
const WORDS = { type: 'OAuthException', error_subcode: 2494010, error_data: DATA, fbtrace_id: 'Az8' }

function failureOf(status: number, error: object) {
  const failure = parseGraphFailure(status, { error })
  assert.ok(failure)
  return failure
}

test("a refusal is 400 with the upstream's words in details, and four of them beside the code", {
  rules: ['D12-05', 'D12-06', 'D12-07'],
}, () => {
  const failure = failureOf(400, { message: '(#131009) Parameter value is not valid', code: 131009, ...WORDS })

  const error = toFacadeError(failure)
  const { details, ...envelope } = errorBody(error, 'an-id').error

  assert.equal(error.status, 400)
  assert.deepEqual(envelope, {
    code: 'UPSTREAM_REJECTED',
    message: 'The upstream refused: Parameter value is not valid',
    request_id: 'an-id',
    ...WORDS,
  })
  assert.deepEqual(details, { code: 131009, title: 'Parameter value is not valid', details: 'Too long.', ...WORDS })
})

test('what the upstream did not say is not there beside the code, and null in details', () => {
  const error = errorBody(
    toFacadeError(failureOf(400, { message: 'no', code: 100, type: 'OAuthException' })),
    'an-id',
  ).error

  assert.deepEqual(Object.keys(error).sort(), ['code', 'details', 'message', 'request_id', 'type'])
  assert.deepEqual(error.details, {
    ...{ code: 100, error_subcode: null, title: 'no', details: null, fbtrace_id: null },
    ...{ type: 'OAuthException', error_data: null },
  })
})

test('a member beside the code never takes the place of one of ours', () => {
  const failure = { ...failureOf(400, { message: 'no', code: 100 }), type: 'x' }
  const { error } = errorBody(toFacadeError(failure), 'an-id')

  assert.equal(error.code, 'UPSTREAM_REJECTED')
  assert.equal(error.request_id, 'an-id')
})

test('a throttle is 429 and says when to try again', () => {
  const error = toFacadeError(failureOf(400, { message: '(#130429) Rate limit hit', code: 130429, ...WORDS }))

  assert.deepEqual([error.status, error.code, error.retryAfterSeconds], [429, 'RATE_LIMITED', 5])
  assert.equal(error.beside.fbtrace_id, 'Az8')
})

for (const [what, failure] of Object.entries({
  'a dead stored credential': failureOf(401, { message: 'Session has expired', code: 190, type: 'OAuthException' }),
  'a transient error': failureOf(500, { message: 'try later', code: 131016, type: 'OAuthException' }),
  'an unreadable answer': buildNoResponseFailure('read', {
    mayBeDone: true,
    status: 200,
    traceId: null,
    cause: new Error('x'),
  }),
  'an answer that never came': buildNoResponseFailure('write', {
    mayBeDone: true,
    status: null,
    traceId: null,
    cause: null,
  }),
})) {
  test(`${what} is 502, and never 401`, { rules: ['D12-09', 'FAW-09'] }, () => {
    const error = toFacadeError(failure)

    assert.deepEqual([error.status, error.code], [502, 'UPSTREAM_UNAVAILABLE'])
    assert.deepEqual([error.details, error.beside], [null, {}])
  })
}

test('an object that is gone is 404 where it is read or removed, and a refusal where it is written to', () => {
  const failure = failureOf(400, { message: 'Unsupported get request.', code: 100, error_subcode: 33, type: 'x' })

  assert.equal(toFacadeErrorOrNotFound(failure).code, 'NOT_FOUND')
  assert.equal(toFacadeError(failure).code, 'UPSTREAM_REJECTED')
  assert.equal(toFacadeErrorOrNotFound(failureOf(400, { message: 'no', code: 100 })).code, 'UPSTREAM_REJECTED')
})
