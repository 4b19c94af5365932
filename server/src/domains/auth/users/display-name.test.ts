import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDisplayName } from './display-name.ts'

for (const name of ['Ana', 'Padaria São João', 'مخبز', "O'Neill & <Sons>", '👩‍🍳', 'x'.repeat(100)]) {
  test(`${JSON.stringify(name)} is a name`, { rules: ['member.names-have-no-control-characters'] }, () =>
    assert.ok(isDisplayName(name)),
  )
}

for (const name of [
  '',
  ' ',
  '\u00a0',
  'x'.repeat(101),
  'Ana\nBCC: all',
  'Ana\u0000',
  'Ana\u202Eana',
  'Ana\u2069',
  'A\u2028',
]) {
  test(`${JSON.stringify(name)} is no name`, { rules: ['member.names-have-no-control-characters'] }, () =>
    assert.ok(!isDisplayName(name)),
  )
}
