import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findBrokenRules } from './rules.ts'
import { anyAddition, anyEnvelope, anyJson, anyVariation } from './test/arbitraries.ts'
import { changed, valueAt } from './test/change.ts'
import { judge, passesSchema } from './test/judge.ts'

const RUNS = { numRuns: 1000 }

test('an unknown property at the top or in any strict object is refused at its path', {
  rules: ['api.unknown-properties-are-400'],
}, async () => {
  const property = fc.asyncProperty(anyAddition, anyJson, async ({ body, place, name }, value) => {
    const more = { ...Object(valueAt(body, place)), [name]: value }

    const { issues } = await judge(changed(body, place, more))

    const pointer = name.replaceAll('~', '~0').replaceAll('/', '~1')
    assert.partialDeepStrictEqual(issues, [{ path: `${place}/${pointer}`, message: 'is not a known property' }])
    assert.equal(issues.length, 1)
  })
  await fc.assert(property, RUNS)
})

test('for every body that passes the schema, the rules return readable issues and leave the body unchanged', () => {
  let passed = 0
  const property = fc.property(fc.oneof(anyVariation, anyEnvelope), (body) => {
    if (!passesSchema(body)) return
    passed++
    const before = JSON.stringify(body)

    const issues = findBrokenRules(body)

    assert.equal(JSON.stringify(body), before)
    for (const { path, message } of issues) {
      assert.match(path, /^\/[a-z]/)
      assert.match(message, /^(?:must|is) \S/)
    }
  })
  fc.assert(property, RUNS)
  assert.ok(passed > RUNS.numRuns / 10, `${passed} passed the schema`)
})
