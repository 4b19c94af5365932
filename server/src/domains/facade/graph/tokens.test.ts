import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { cutTokens, findGraphRequest, prepareGraphRequest } from './tokens.ts'

/** The address of a request after its tokens were cut, and the tokens that were found. */
function prepare(url: string) {
  const request = { url } as IncomingMessage
  prepareGraphRequest(request)
  const found = findGraphRequest(request)
  return { url: request.url, isGraph: found !== undefined, ...found?.query }
}

for (const [url, rest, values, count] of [
  ['/graph/1', '/graph/1', [], 0],
  ['/graph/1?fields=id', '/graph/1?fields=id', [], 0],
  ['/graph/1?access_token=T', '/graph/1', ['T'], 1],
  ['/graph/1?a=b&access_token=T&c=%20d', '/graph/1?a=b&c=%20d', ['T'], 1],
  ['/graph/1?access%5Ftoken=T', '/graph/1', ['T'], 1],
  ['/graph/1?%61ccess_token=T%2B', '/graph/1', ['T+'], 1],
  ['/graph/1?access_token=T&access_token=T', '/graph/1', ['T', 'T'], 2],
  ['/graph/1?ACCESS_TOKEN=T', '/graph/1', [], 1],
  ['/graph/1?access_token[]=T', '/graph/1', [], 1],
  ['/graph/1?access_token%5B0%5D=T', '/graph/1', [], 1],
  ['/graph/1?access%255Ftoken=T', '/graph/1', [], 1],
  ['/graph/1?+access_token=T', '/graph/1', [], 1],
  ['/graph/1?access.token=T', '/graph/1', [], 1],
  ['/graph/1?a=1;access_token=T&b=2', '/graph/1?a=1&b=2', [], 1],
  ['/graph/1?a=1?access_token=T', '/graph/1?a=1', [], 1],
  ['/graph/1#access_token=T', '/graph/1', ['T'], 1],
  ['/graph/1#a?access_token=T', '/graph/1#a', [], 1],
  ['/graph?access_token=T', '/graph', ['T'], 1],
  ['/graph/%zz?access_token=T', '/graph/%zz', ['T'], 1],
  ['/%67raph/%zz?access_token=T', '/%67raph/%zz', ['T'], 1],
  ['/GRAPH/1?access_token=T', '/GRAPH/1', ['T'], 1],
  ['//graph/1?access_token=T', '//graph/1', ['T'], 1],
  ['http://hub/graph/1?access_token=T', 'http://hub/graph/1', ['T'], 1],
  ['http://hub?access_token=T/graph/1', 'http://hub', ['T/graph/1'], 1],
] as const) {
  test(`${url} is read without its tokens as ${rest}`, { rules: ['graph.tokens-leak-nowhere'] }, () => {
    const prepared = prepare(url)

    assert.deepEqual([prepared.url, prepared.isGraph], [rest, true])
    assert.deepEqual(prepared.access_token, { values, count })
  })
}

for (const url of ['/upstream/1?access_token=T', '/graphs?access_token=T', '/', '/api/v1/graph?access_token=T', '']) {
  test(`${JSON.stringify(url)} is not an address of /graph and stays as it is`, () => {
    const prepared = prepare(url)

    assert.deepEqual([prepared.url, prepared.isGraph], [url, false])
  })
}

test('an address of many separators is read in proportion to its length', () => {
  const text = ';'.repeat(200_000)

  assert.equal(cutTokens(text, { isAddress: true }).rest, text)
})

test('a form keeps every byte but its tokens', () => {
  const { rest, tokens } = cutTokens('to=1&text=%7B%22body%22%3A%22a;access_token=x%22%7D&access_token=T&input_token=I')

  assert.equal(rest, 'to=1&text=%7B%22body%22%3A%22a;access_token=x%22%7D')
  assert.deepEqual([tokens.access_token.values, tokens.input_token.values], [['T'], ['I']])
})
