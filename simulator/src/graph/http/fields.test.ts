import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFields, parseModifierList } from './fields.ts'

test('a field has modifiers, whose arguments may contain commas', () => {
  const [id, edge] = parseFields('id,edge.limit(5).filter(["a","b"])')

  assert.equal(id?.name, 'id')
  assert.equal(edge?.name, 'edge')
  assert.deepEqual(
    [...(edge?.modifiers ?? [])],
    [
      ['limit', '5'],
      ['filter', '["a","b"]'],
    ],
  )
})

test('parses a list with and without brackets and quotes', () => {
  for (const text of ['A,B', '[A,B]', '["A","B"]', "['A', 'B']"]) assert.deepEqual(parseModifierList(text), ['A', 'B'])
  assert.deepEqual(parseModifierList(undefined), [])
})
