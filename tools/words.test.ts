import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWords } from './words.ts'

for (const line of [
  '// whoever holds the claim releases it',
  "test('nobody is charged twice')",
  'const isHeard = true',
  'select turn_told from deliveries',
  '# Catalogue of events',
  'The behaviour stays',
  'Recognised colours',
]) {
  test(`the check of words refuses: ${line}`, () => {
    assert.equal(findWords('docs/a.md', line).length >= 1, true)
  })
}

for (const line of [
  'The worker releases the claim.',
  'the catalog of events',
  'behavior, behaviors, colors, neighbors',
  'an organization is recognized',
  'amendments recommend a colorful passageway',
]) {
  test(`the check of words accepts: ${line}`, () => {
    assert.deepEqual(findWords('docs/a.md', line), [])
  })
}

test('the check of words reads file names, and gives line and replacement', () => {
  assert.deepEqual(findWords('server/src/catalogue.ts', 'first\nsecond parcel\n'), [
    'server/src/catalogue.ts:0 says "catalogue": write catalog.',
    'server/src/catalogue.ts:2 says "parcel": write delivery request.',
  ])
})

test('the account nobody may be named in quotes', () => {
  assert.deepEqual(findWords('docs/a.md', "`postgres` or else `nobody`, ['postgres', 'nobody']"), [])
})
