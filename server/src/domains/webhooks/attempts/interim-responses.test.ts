import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createInterimResponses } from './interim-responses.ts'

const FINAL = 'HTTP/1.1 200 OK\r\nx: HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'

/** The rest of a response that arrives in these pieces, up to the status line of the final response. */
function skipIn(pieces: string[], interim = createInterimResponses()): string {
  interim.expect()
  return pieces
    .map((piece) => {
      const bytes = Buffer.from(piece, 'latin1')
      const rest = interim.isExpected() ? interim.skip(bytes) : bytes
      if (rest instanceof Error) throw rest
      return rest.toString('latin1')
    })
    .join('')
}

const CASES: [what: string, response: string, rest: string][] = [
  ['a final response passes, and so does its body', FINAL, FINAL],
  ['a 100 is skipped', `HTTP/1.1 100 Continue\r\n\r\n${FINAL}`, FINAL],
  ['a 100 without a reason is skipped', `HTTP/1.1 100\r\n\r\n${FINAL}`, FINAL],
  ['a 100 of HTTP/1.0 is skipped', `HTTP/1.0 100 Continue\r\n\r\n${FINAL}`, FINAL],
  ['a 100 with headers is skipped', `HTTP/1.1 100 C\r\na: b\r\n\r\n${FINAL}`, FINAL],
  ['a 100 after empty lines is skipped', `\r\n\r\nHTTP/1.1 100 C\r\n\r\n${FINAL}`, FINAL],
  ['a 100 with bare line feeds is skipped', `HTTP/1.1 100 C\n\n${FINAL}`, FINAL],
  [
    'each of several interim responses is skipped',
    `HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nlink: a\r\n\r\nHTTP/1.1 199 C\r\n\r\n${FINAL}`,
    FINAL,
  ],
  ['a 101 passes', `HTTP/1.1 101 S\r\n\r\n${FINAL}`, `HTTP/1.1 101 S\r\n\r\n${FINAL}`],
  ['a status of four digits passes', `HTTP/1.1 1000 C\r\n\r\n${FINAL}`, `HTTP/1.1 1000 C\r\n\r\n${FINAL}`],
  ['another version of HTTP passes', `HTTP/2.0 100 C\r\n\r\n${FINAL}`, `HTTP/2.0 100 C\r\n\r\n${FINAL}`],
  ['another protocol passes', 'SSH-2.0-1001', 'SSH-2.0-1001'],
  ['an unfinished interim response is held back', 'HTTP/1.1 100 Continue\r\na: b\r\n', ''],
  ['an unfinished status line is held back', 'HTTP/1.1 1', ''],
]

for (const [what, response, rest] of CASES) {
  test(what, () => {
    assert.equal(skipIn([response]), rest)
    assert.equal(skipIn(response.split('')), rest)
  })
}

test('interim responses are skipped in any pieces', () => {
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 10 })

  fc.assert(
    fc.property(fc.constantFrom(...CASES), cuts, ([, response, rest], at) => {
      const bounds = [0, ...at.sort((a, b) => a - b), response.length]
      const pieces = bounds.slice(1).map((end, index) => response.slice(bounds[index], end))
      assert.equal(skipIn(pieces), rest)
    }),
  )
})

test('interim responses are skipped for each request on a connection', () => {
  const interim = createInterimResponses()

  for (let request = 0; request < 2; request++) {
    assert.equal(skipIn([`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`], interim), FINAL)
  }
})

test('the seventeenth interim response is an error', () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'

  assert.equal(skipIn([interim.repeat(16), FINAL]), FINAL)
  assert.throws(() => skipIn([interim.repeat(17)]), { code: 'ECONNRESET' })
})

test('an interim response of more than 16 KiB is passed on instead of buffered', () => {
  for (const endless of ['HTTP/1.1 103 Early Hints\r\na: ', '\r\n'.repeat(100)]) {
    const bytes = endless + '\r\r'.repeat(8 * 1024)
    assert.equal(skipIn([bytes]), bytes)
  }
})
