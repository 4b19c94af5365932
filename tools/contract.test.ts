import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkContract, compareRules, findProofs, parseRules } from './contract.ts'
import { parseSource } from './sources.ts'

const ROOT = join(import.meta.dirname, '..')

const CONTRACT = `
| Rule id | Rule |
|---|---|
| CH-01 | A channel has an id. |
| CH-02 | **Open.** A channel \\| has a name. |
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
  assert.deepEqual(compare("test('a', { rules: ['CH-01'] }, () => {})"), [])
  assert.deepEqual(compare("t.test('a', { timeout: 5, rules: ['CH-01'] }, () => {})"), [])
  assert.deepEqual(compare("for (const a of b) it(`a` + a, { rules: ['CH-01'] }, () => {})"), [])
})

for (const [what, tests] of [
  ['a title that mentions it', "test('CH-01', () => {})"],
  ['a skipped test', "test.skip('a', { rules: ['CH-01'] }, () => {})"],
  ['a comment', "// test('a', { rules: ['CH-01'] }, () => {})"],
] as const) {
  test(`a rule is not proven by ${what}`, () => {
    assert.deepEqual(compare(tests), ['docs/contract.md:4 rule CH-01 is named by no test.'])
  })
}

test('an unknown id in a test is an error with its place', () => {
  const errors = compare("test('a', { rules: ['CH-01', 'CH-99'] }, () => {})")

  assert.deepEqual(errors, ['a.test.ts:1 names CH-99, which is no rule of docs/contract.md.'])
})

test('an open rule that a test names is an error', () => {
  const errors = compare("test('a', { rules: ['CH-01', 'CH-02'] }, () => {})")

  assert.deepEqual(errors, ['docs/contract.md:5 rule CH-02 says **Open.**, but a test names it.'])
})

test('an id that is used twice is an error', () => {
  const errors = compare("test('a', { rules: ['CH-01'] }, () => {})", `${CONTRACT}| CH-01 | Another rule. |\n`)

  assert.deepEqual(errors, ['docs/contract.md:6 uses the id CH-01 again.'])
})
