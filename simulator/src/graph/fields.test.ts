import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modifierList, parseFields } from './fields.ts'

test('names, modifiers and braces nest', () => {
  const [id, edge] = parseFields('id,edge.limit(5).filter(["(a)","b"]){name,inner{x}}')

  assert.equal(id?.name, 'id')
  assert.equal(edge?.name, 'edge')
  assert.deepEqual(
    [...(edge?.modifiers ?? [])],
    [
      ['limit', '5'],
      ['filter', '["(a)","b"]'],
    ],
  )
  assert.deepEqual(
    edge?.children.map(({ name, children }) => [name, children.map((child) => child.name)]),
    [
      ['name', []],
      ['inner', ['x']],
    ],
  )
})

test('a list is read with and without brackets and quotes', () => {
  for (const text of ['A,B', '[A,B]', '["A","B"]', "['A', 'B']"]) assert.deepEqual(modifierList(text), ['A', 'B'])
  assert.deepEqual(modifierList(undefined), [])
})
