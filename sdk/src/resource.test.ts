import assert from 'node:assert/strict'
import { test } from 'node:test'
import { path } from './resource.ts'

test('ids are encoded, so that an id cannot lead to another operation', () => {
  const [channel, delivery] = ['a/../b?c#d', '%2e%2e']

  assert.equal(path`/channels/${channel}/x/${delivery}`, '/channels/a%2F..%2Fb%3Fc%23d/x/%252e%252e')
})

for (const id of ['', '.', '..', undefined, null, 7, {}]) {
  test(`${JSON.stringify(id)} is refused as an id`, () => {
    assert.throws(() => path`/channels/${id as string}`, TypeError)
  })
}
