import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../kernel/db/pool.ts'
import { listChanges } from './changes.ts'

test('a change lists the fields that differ, with both values', { rules: ['audit.update-has-its-changes'] }, () => {
  const cases: [before: Record<string, Json>, after: Record<string, Json>, expected: object][] = [
    [{ name: 'a', status: 'x' }, { name: 'b', status: 'x' }, { name: { from: 'a', to: 'b' } }],
    [{ id: null }, { id: 'x' }, { id: { from: null, to: 'x' } }],
    [{ id: 'x' }, { id: null }, { id: { from: 'x', to: null } }],
    [{}, { id: 'x' }, { id: { from: null, to: 'x' } }],
    [{ on: false, count: 0 }, { on: true, count: 0 }, { on: { from: false, to: true } }],
    [{ scopes: ['a', 'b'] }, { scopes: ['a'] }, { scopes: { from: ['a', 'b'], to: ['a'] } }],
    [{ scopes: ['a', 'b'] }, { scopes: ['b', 'a'] }, {}],
    [{ count: 1 }, { count: '1' }, { count: { from: 1, to: '1' } }],
    [{ name: 'a' }, { name: 'a' }, {}],
  ]

  for (const [before, after, expected] of cases) assert.deepEqual(listChanges(before, after), expected)
})
