import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideWait, type FailedAttempt, parseRetryAfter } from './retries.ts'

const GET = { isRepeatable: true, isKeyed: false }
const SEND = { isRepeatable: true, isKeyed: true }
const CREATE = { isRepeatable: false, isKeyed: false }

function failed(attempt: Partial<FailedAttempt>): FailedAttempt {
  return { code: 'INTERNAL_ERROR', reason: null, status: 500, isSent: true, retryAfterMs: undefined, ...attempt }
}

function listRepeatable(attempt: Partial<FailedAttempt>): string[] {
  const operations = { GET, SEND, CREATE }
  return Object.entries(operations).flatMap(([name, operation]) =>
    decideWait(1, failed(attempt), operation) === undefined ? [] : [name],
  )
}

const DECISIONS: [string, Partial<FailedAttempt>, string[]][] = [
  ['a rate limit', { code: 'RATE_LIMITED', status: 429 }, ['GET', 'SEND', 'CREATE']],
  ['an overload', { code: 'OVERLOADED', status: 503 }, ['GET', 'SEND', 'CREATE']],
  ['a hub that is not ready', { code: 'NOT_READY', status: 503 }, ['GET', 'SEND']],
  ['a hub on hold', { code: 'NOT_READY', reason: 'held', status: 503, retryAfterMs: 30_000 }, []],
  ["a proxy's 503", { code: 'UNREADABLE_RESPONSE', status: 503 }, ['GET', 'SEND']],
  ['an unavailable upstream', { code: 'UPSTREAM_UNAVAILABLE', status: 502 }, ['GET', 'SEND']],
  ['an internal error', { code: 'INTERNAL_ERROR', status: 500 }, ['GET', 'SEND']],
  ['a refused connection', { code: 'CONNECTION_FAILED', status: null, isSent: false }, ['GET', 'SEND', 'CREATE']],
  ['a broken connection', { code: 'CONNECTION_FAILED', status: null }, ['GET', 'SEND']],
  ['a timeout', { code: 'TIMEOUT', status: null }, ['GET', 'SEND']],
  ['a success that cannot be read', { code: 'UNREADABLE_RESPONSE', status: 200 }, ['GET', 'SEND']],
  ['a send in progress', { code: 'OPERATION_IN_PROGRESS', status: 409 }, ['SEND']],
  ['an unknown result of a send', { code: 'SEND_RESULT_UNKNOWN', status: 409 }, []],
  ['a reused key', { code: 'IDEMPOTENCY_KEY_REUSED', status: 400 }, []],
  ['a missing resource', { code: 'NOT_FOUND', status: 404 }, []],
  ['a redirect', { code: 'UNREADABLE_RESPONSE', status: 302 }, []],
]

for (const [title, attempt, operations] of DECISIONS) {
  test(`${title} is retried for ${operations.join(', ') || 'nothing'}`, {
    rules: ['sdk.repeats-only-without-second-effect'],
  }, () => {
    assert.deepEqual(listRepeatable(attempt), operations)
  })
}

test('the waits double from half a second, lie between their half and their whole, and end at eight seconds', () => {
  for (const [index, wholeMs] of [500, 1_000, 2_000, 4_000, 8_000, 8_000].entries()) {
    const waitMs = decideWait(index + 1, failed({}), GET) ?? 0

    assert.ok(waitMs >= wholeMs / 2 && waitMs <= wholeMs, `${waitMs} of ${wholeMs}`)
  }
})

test('Retry-After replaces the wait, up to a minute', () => {
  const limited = { code: 'RATE_LIMITED', status: 429 }

  assert.equal(decideWait(1, failed({ ...limited, retryAfterMs: 0 }), GET), 0)
  assert.equal(decideWait(1, failed({ ...limited, retryAfterMs: 60_000 }), GET), 60_000)
  assert.equal(decideWait(1, failed({ ...limited, retryAfterMs: 61_000 }), GET), undefined)
})

const NOW = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT')
const RETRY_AFTER: [string, Record<string, string>, number | undefined][] = [
  ['seconds', { 'retry-after': '120' }, 120_000],
  ['zero', { 'retry-after': '0' }, 0],
  ['a date', { 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' }, 30_000],
  ['a date that is over', { 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT' }, 0],
  [
    "a date by the server's own clock",
    { 'retry-after': 'Sun, 06 Nov 2094 08:49:39 GMT', date: 'Sun, 06 Nov 2094 08:49:37 GMT' },
    2_000,
  ],
  ['a fraction', { 'retry-after': '1.5' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['a word', { 'retry-after': 'soon' }, undefined],
  ['an empty text', { 'retry-after': '' }, undefined],
  ['no header', {}, undefined],
]

for (const [title, headers, expected] of RETRY_AFTER) {
  test(`Retry-After is read: ${title}`, () => {
    assert.equal(parseRetryAfter(new Headers(headers), NOW), expected)
  })
}
