import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

const LONG_MS = 600_000

/** Starts operations that the test ends. */
function createOperations(turns: ReturnType<typeof createTurns>) {
  const started: string[] = []
  return {
    started,
    start(owner: string, name: string) {
      const end = Promise.withResolvers<void>()
      const ended = turns.run(owner, async () => {
        started.push(name)
        await end.promise
        return name
      })
      return { ended, end: () => end.resolve(), fail: () => end.reject(new Error(name)) }
    },
  }
}

test('an owner has its turns in the order of arrival, and owners do not wait for each other', async () => {
  const { start, started } = createOperations(createTurns({ runningMax: 2, waitMs: LONG_MS }))
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => start('a', name))
  const other = start('b', 'other')

  const before = [...started]
  one?.end()
  await one?.ended
  two?.fail()
  await assert.rejects(two?.ended ?? Promise.resolve())

  assert.deepEqual(before, ['one', 'two', 'other'])
  for (const each of [three, four, other]) each?.end()
  assert.deepEqual(await Promise.all([three?.ended, four?.ended, other.ended]), ['three', 'four', 'other'])
  assert.deepEqual(started, ['one', 'two', 'other', 'three', 'four'])
})

test('who waits too long is refused and never runs, and the next in line gets the turn', async () => {
  const turns = createTurns({ runningMax: 1, waitMs: 1 })
  const { start, started } = createOperations(turns)
  const running = start('a', 'running')
  const late = start('a', 'late')

  await assert.rejects(late.ended, {
    code: 'RATE_LIMITED',
    retryAfterSeconds: 1,
    message: /^Searches of an organization run 1 at a time/,
  })
  running.end()
  await running.ended
  const next = start('a', 'next')
  next.end()

  assert.equal(await next.ended, 'next')
  assert.deepEqual(started, ['running', 'next'])
})
