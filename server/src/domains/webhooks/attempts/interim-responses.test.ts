import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createInterimResponses } from './interim-responses.ts'

const FINAL = 'HTTP/1.1 200 OK\r\nx: HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'

/** What is left of a response that arrives in these pieces. */
function renumbered(pieces: string[]): string {
  const { expect, renumber } = createInterimResponses()
  expect()
  return pieces
    .map((piece) => {
      const bytes = Buffer.from(piece, 'latin1')
      renumber(bytes)
      return bytes.toString('latin1')
    })
    .join('')
}

const CASES: [what: string, response: string, seen: string][] = [
  ['a final response is left alone, and so is its body', FINAL, FINAL],
  ['a 100 becomes a 102', `HTTP/1.1 100 Continue\r\n\r\n${FINAL}`, `HTTP/1.1 102 Continue\r\n\r\n${FINAL}`],
  ['a 100 without a reason, too', `HTTP/1.1 100\r\n\r\n${FINAL}`, `HTTP/1.1 102\r\n\r\n${FINAL}`],
  ['a 100 of HTTP/1.0, too', `HTTP/1.0 100 Continue\r\n\r\n${FINAL}`, `HTTP/1.0 102 Continue\r\n\r\n${FINAL}`],
  ['a 100 with headers, too', `HTTP/1.1 100 C\r\na: b\r\n\r\n${FINAL}`, `HTTP/1.1 102 C\r\na: b\r\n\r\n${FINAL}`],
  ['a 100 after empty lines, too', `\r\n\r\nHTTP/1.1 100 C\r\n\r\n${FINAL}`, `\r\n\r\nHTTP/1.1 102 C\r\n\r\n${FINAL}`],
  ['a 100 with bare line feeds, too', `HTTP/1.1 100 C\n\n${FINAL}`, `HTTP/1.1 102 C\n\n${FINAL}`],
  [
    'each of several does',
    `HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nlink: a\r\n\r\nHTTP/1.1 100 C\r\n\r\n${FINAL}`,
    `HTTP/1.1 102 C\r\n\r\nHTTP/1.1 103 E\r\nlink: a\r\n\r\nHTTP/1.1 102 C\r\n\r\n${FINAL}`,
  ],
  ['other interim responses are left alone', `HTTP/1.1 110 A\r\n\r\n${FINAL}`, `HTTP/1.1 110 A\r\n\r\n${FINAL}`],
  ['what is no HTTP is left alone', 'SSH-2.0-1001', 'SSH-2.0-1001'],
]

for (const [what, response, seen] of CASES) {
  test(what, () => {
    assert.equal(renumbered([response]), seen)
    assert.equal(renumbered(response.split('')), seen)
  })
}

test('it does not matter into which pieces a response is cut', () => {
  const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 10 })

  fc.assert(
    fc.property(fc.constantFrom(...CASES), cuts, ([, response, seen], at) => {
      const bounds = [0, ...at.sort((a, b) => a - b), response.length]
      const pieces = bounds.slice(1).map((end, index) => response.slice(bounds[index], end))
      assert.equal(renumbered(pieces), seen)
    }),
  )
})

test('each request on a connection is watched anew', () => {
  const { expect, renumber } = createInterimResponses()

  for (let request = 0; request < 2; request++) {
    const bytes = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`)
    expect()
    renumber(bytes)
    assert.equal(bytes.toString().indexOf('102'), 9)
  }
})
