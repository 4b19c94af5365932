import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildErrorBody } from '../../kernel/http/error-handler.ts'
import { buildNoResponseFailure, parseGraphFailure } from '../../upstream/http/errors.ts'
import { toFacadeError, toFacadeErrorOrNotFound } from './errors.ts'

const DATA = { messaging_product: 'whatsapp', details: 'Too long.' }
const ERROR_FIELDS = { type: 'OAuthException', error_subcode: 2494010, error_data: DATA, fbtrace_id: 'Az8' }

function parseFailure(status: number, error: object) {
  const failure = parseGraphFailure(status, { error })
  assert.ok(failure)
  return failure
}

test("a refusal is 400 with the upstream's error fields in details, and four of them beside the code", {
  rules: ['facade.failure-is-our-envelope', 'facade.refusal-carries-the-upstreams-codes'],
}, () => {
  const failure = parseFailure(400, {
    message: '(#131009) Parameter value is not valid',
    code: 131009,
    ...ERROR_FIELDS,
  })

  const error = toFacadeError(failure)
  const { details, ...envelope } = buildErrorBody(error, 'an-id').error

  assert.equal(error.status, 400)
  assert.deepEqual(envelope, {
    code: 'UPSTREAM_REJECTED',
    message: 'The upstream refused: Parameter value is not valid',
    request_id: 'an-id',
    ...ERROR_FIELDS,
  })
  assert.deepEqual(details, {
    reason: 'upstream_refused',
    parameters: { title: 'Parameter value is not valid' },
    code: 131009,
    title: 'Parameter value is not valid',
    details: 'Too long.',
    ...ERROR_FIELDS,
  })
})

test('error fields that the upstream left out are absent beside the code and null in details', () => {
  const error = buildErrorBody(
    toFacadeError(parseFailure(400, { message: 'no', code: 100, type: 'OAuthException' })),
    'an-id',
  ).error

  assert.deepEqual(Object.keys(error).sort(), ['code', 'details', 'message', 'request_id', 'type'])
  assert.partialDeepStrictEqual(error.details, {
    code: 100,
    error_subcode: null,
    title: 'no',
    details: null,
    fbtrace_id: null,
    type: 'OAuthException',
    error_data: null,
  })
})

test("the upstream's error fields never replace the hub's code and request id", () => {
  const failure = { ...parseFailure(400, { message: 'no', code: 100 }), type: 'x' }
  const { error } = buildErrorBody(toFacadeError(failure), 'an-id')

  assert.equal(error.code, 'UPSTREAM_REJECTED')
  assert.equal(error.request_id, 'an-id')
})

test('a throttle is 429 with the seconds to wait', () => {
  const error = toFacadeError(parseFailure(400, { message: '(#130429) Rate limit hit', code: 130429, ...ERROR_FIELDS }))

  assert.deepEqual([error.status, error.code, error.retryAfterSeconds], [429, 'RATE_LIMITED', 5])
  assert.equal(error.extraFields.fbtrace_id, 'Az8')
})

for (const [what, failure] of Object.entries({
  'a refused stored credential': parseFailure(401, {
    message: 'Session has expired',
    code: 190,
    type: 'OAuthException',
  }),
  'a transient error': parseFailure(500, { message: 'try later', code: 131016, type: 'OAuthException' }),
  'an unreadable response': buildNoResponseFailure('read', {
    mayHaveTakenEffect: true,
    status: 200,
    traceId: null,
    cause: new Error('x'),
  }),
  'a missing response': buildNoResponseFailure('write', {
    mayHaveTakenEffect: true,
    status: null,
    traceId: null,
    cause: null,
  }),
})) {
  test(`${what} is 502, and never 401`, { rules: ['facade.upstream-failure-is-502'] }, () => {
    const error = toFacadeError(failure)

    assert.deepEqual([error.status, error.code], [502, 'UPSTREAM_UNAVAILABLE'])
    assert.deepEqual([Object.keys(error.details), error.extraFields], [['reason', 'parameters'], {}])
  })
}

test('a missing object is 404 for reads and deletions, and a refusal for writes', () => {
  const failure = parseFailure(400, { message: 'Unsupported get request.', code: 100, error_subcode: 33, type: 'x' })

  assert.equal(toFacadeErrorOrNotFound(failure).code, 'NOT_FOUND')
  assert.equal(toFacadeError(failure).code, 'UPSTREAM_REJECTED')
  assert.equal(toFacadeErrorOrNotFound(parseFailure(400, { message: 'no', code: 100 })).code, 'UPSTREAM_REJECTED')
})
