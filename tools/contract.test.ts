import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkContract, compareRules, findProofs, parseRules } from './contract.ts'
import { parseSource } from './sources.ts'

const ROOT = join(import.meta.dirname, '..')

const CONTRACT = `
| Rule id | Rule |
|---|---|
| channel.has-an-id | A channel has an id. |
| channel.has-a-name | **Open.** A channel \\| has a name. |
`

function compare(tests: string, contract = CONTRACT): string[] {
  return compareRules(parseRules(contract), findProofs(parseSource('a.test.ts', tests)))
}

test('every rule of the repository is named by a test, and every named rule exists', () => {
  const report = checkContract(ROOT)

  assert.deepEqual(report.errors, [])
  assert.equal(report.total, report.proven + report.open.length)
  assert.ok(report.total > 900, `${report.total} rules were read`)
})

test('a contract whose rules are named, or open, has no errors', () => {
  assert.deepEqual(compare("test('a', { rules: ['channel.has-an-id'] }, () => {})"), [])
  assert.deepEqual(compare("t.test('a', { timeout: 5, rules: ['channel.has-an-id'] }, () => {})"), [])
  assert.deepEqual(compare("for (const a of b) it(`a` + a, { rules: ['channel.has-an-id'] }, () => {})"), [])
})

for (const [what, tests] of [
  ['a title that mentions it', "test('channel.has-an-id', () => {})"],
  ['a skipped test', "test.skip('a', { rules: ['channel.has-an-id'] }, () => {})"],
  ['a comment', "// test('a', { rules: ['channel.has-an-id'] }, () => {})"],
] as const) {
  test(`a rule is not proven by ${what}`, () => {
    assert.deepEqual(compare(tests), ['docs/contract.md:4 rule channel.has-an-id is named by no test.'])
  })
}

test('an unknown id in a test is an error with its place', () => {
  const errors = compare("test('a', { rules: ['channel.has-an-id', 'channel.has-no-rule'] }, () => {})")

  assert.deepEqual(errors, ['a.test.ts:1 names channel.has-no-rule, which is no rule of docs/contract.md.'])
})

test('a test that names more than three rules is an error', () => {
  const rules = ['channel.has-an-id', 'channel.has-an-id', 'channel.has-an-id', 'channel.has-an-id']

  assert.deepEqual(compare(`test('a', { rules: ${JSON.stringify(rules)} }, () => {})`), [
    'a.test.ts:1 names 4 rules. Name the 3 it proves.',
  ])
})

for (const id of ['CH-03', 'channel.Has-a-type', 'channel', 'channel.has_a_type', `channel.${'a'.repeat(43)}`]) {
  test(`the id ${id} is an error`, () => {
    const errors = compare(
      `test('a', { rules: ['channel.has-an-id', '${id}'] }, () => {})`,
      `${CONTRACT}| ${id} | A rule. |\n`,
    )

    assert.deepEqual(errors, [
      `docs/contract.md:6 has the id ${id}. An id is "topic.what-it-says", in lower case and at most 50 characters.`,
    ])
  })
}

test('an open rule that a test names is an error', () => {
  const errors = compare("test('a', { rules: ['channel.has-an-id', 'channel.has-a-name'] }, () => {})")

  assert.deepEqual(errors, ['docs/contract.md:5 rule channel.has-a-name says **Open.**, but a test names it.'])
})

test('an id that is used twice is an error', () => {
  const errors = compare(
    "test('a', { rules: ['channel.has-an-id'] }, () => {})",
    `${CONTRACT}| channel.has-an-id | Another rule. |\n`,
  )

  assert.deepEqual(errors, ['docs/contract.md:6 uses the id channel.has-an-id again.'])
})
