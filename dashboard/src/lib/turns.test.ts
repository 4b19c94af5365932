import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('reads run a few at a time and in their order, and one that fails gives its turn to the next', async () => {
  const inTurn = createTurns(2)
  const started: number[] = []
  const ends: (() => void)[] = []
  const reads = [0, 1, 2, 3].map((number) =>
    inTurn(async () => {
      started.push(number)
      await new Promise<void>((resolve) => void ends.push(resolve))
      if (number === 0) throw new Error('refused')
      return number
    }),
  )
  const results = Promise.allSettled(reads)

  assert.deepEqual(started, [0, 1])
  for (let end = 0; end < 4; end++) {
    ends[end]?.()
    await reads[end]?.catch(() => {})
    assert.ok(started.length <= end + 3)
  }
  assert.deepEqual(
    (await results).map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    ['refused', 1, 2, 3],
  )
  assert.deepEqual(started, [0, 1, 2, 3])
})
