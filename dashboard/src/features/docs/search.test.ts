import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchEntry } from './content.ts'
import { joinEntries, markWords, prepareIndex, readContext, searchDocs } from './search.ts'

const entry = (guide: string, section: string | undefined, text: string): SearchEntry => ({
  target: section === undefined ? { guide } : { guide, heading: section.toLowerCase() },
  title: guide,
  ...(section !== undefined && { section }),
  text,
})
const OPERATION: SearchEntry = {
  target: { operation: 'sendMessage' },
  title: 'Send a message',
  section: 'POST /api/v1/channels/{id}/messages',
  text: 'RATE_LIMITED',
}
const ENTRIES = [
  entry('messages', undefined, 'A text about sending'),
  entry('messages', 'Templates', 'Meta pauses a template that people dislike'),
  entry('channels', 'Connect', 'The template of a número in São Paulo'),
  OPERATION,
]
const find = (query: string) => searchDocs(prepareIndex(ENTRIES), query).map(({ entry: found }) => found)

test('a heading comes before a text, and an entry has every word', () => {
  assert.deepEqual(find('template'), [ENTRIES[1], ENTRIES[2]])
  assert.deepEqual(find('template number'), [])
  assert.deepEqual(find('template meta'), [ENTRIES[1]])
})

test('accents and case do not matter', () => {
  assert.deepEqual(find('NUMERO sao'), [ENTRIES[2]])
})

test('an operation is found by its path, its summary and its error codes', () => {
  for (const query of ['/channels/{id}/messages', 'send a message', 'rate_limited']) {
    assert.equal(find(query)[0], OPERATION, query)
  }
})

test('nothing is found for nothing, and no character of a query is special', () => {
  for (const query of ['', '   ', '.*', '(', '[a', '\\']) assert.deepEqual(find(query), [], query)
})

test('the context is around the first match, with the words marked', () => {
  const text = `${'before '.repeat(30)}the Número of the channel${' after'.repeat(40)}`

  const pieces = readContext(text, ['numero'])

  const whole = pieces.map((piece) => piece.text).join('')
  assert.match(whole, /^… before .*the Número of the channel after .* …$/)
  assert.deepEqual(
    pieces.filter(({ isFound }) => isFound),
    [{ text: 'Número', isFound: true }],
  )
  assert.equal(readContext('Short text', ['missing'])[0]?.text, 'Short text')
})

test('a text whose letters change their number is not marked at the wrong place', () => {
  assert.deepEqual(markWords('e\u0301 channel', ['channel']), [{ text: 'e\u0301 channel', isFound: false }])
})

test('a guide in the language of the reader replaces the English one, and all others stay', () => {
  const own = [entry('messages', undefined, 'Um texto')]

  assert.deepEqual(joinEntries(own, ENTRIES), [own[0], ENTRIES[2], OPERATION])
})
