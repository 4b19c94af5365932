import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFirst, includesText, type Match } from './match.ts'

function build(title: string, rest: Partial<Match> = {}): Match {
  return { id: title, group: 'g', icon: 'link', title, ...rest }
}

test('what is chosen at first can be done, and is not what asks for care', () => {
  const matches = [
    build('Resume erp', { reason: 'needs webhooks:write' }),
    build('Send test to erp', { isCareful: true }),
    build('erp'),
  ]

  assert.equal(findFirst(matches, 'erp'), 2)
  assert.equal(findFirst(matches, 'send t'), 1)
  assert.equal(findFirst(matches.slice(0, 1), 'erp'), 0)
  assert.equal(findFirst([], ''), 0)
})

test('a name is found without its accents and capitals', () => {
  assert.ok(includesText('Padaria São João', 'sao jo'))
  assert.ok(!includesText('Padaria', 'x'))
})
