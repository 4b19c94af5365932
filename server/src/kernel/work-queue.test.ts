import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AppError } from './errors.ts'
import { createWorkQueue } from './work-queue.ts'

/** A queue with work that the test ends, in the order in which it started. */
function createControlledQueue(limits: Parameters<typeof createWorkQueue>[0]) {
  const queue = createWorkQueue(limits)
  const started: string[] = []
  const ends: PromiseWithResolvers<string>[] = []
  const run = (name: string, owner?: string) =>
    queue.run(() => {
      started.push(name)
      const end = Promise.withResolvers<string>()
      ends.push(end)
      return end.promise
    }, owner)
  return { run, started, ends }
}

test('work starts up to the limit, and then in order as other work ends or fails', async () => {
  const { run, started, ends } = createControlledQueue({ runningMax: 2, waitingMax: 2 })

  const results = Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => run(name)))
  await setImmediate()
  const atFirst = [...started]
  ends[1]?.reject(new Error('failed'))
  await setImmediate()
  const afterOne = [...started]
  ends[0]?.resolve('A')
  await setImmediate()
  for (const end of ends) end.resolve('later')

  assert.deepEqual(
    [atFirst, afterOne, started],
    [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c', 'd'],
    ],
  )
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

test('work beyond the queue is refused as OVERLOADED with a time to retry, and accepted again later', async () => {
  const { run, started, ends } = createControlledQueue({ runningMax: 1, waitingMax: 1 })

  const accepted = [run('a'), run('b')]
  const refused = await run('c').catch((err: unknown) => err)
  ends[0]?.resolve('A')
  await setImmediate()
  ends[1]?.resolve('B')
  await Promise.all(accepted)
  const again = run('d')
  await setImmediate()
  ends[2]?.resolve('D')

  assert.ok(refused instanceof AppError)
  assert.deepEqual([refused.code, refused.status, refused.retryAfterSeconds], ['OVERLOADED', 503, 1])
  assert.equal(await again, 'D')
  assert.deepEqual(started, ['a', 'b', 'd'])
})

test('owners have their turns one after the other, and one of them cannot fill the queue', {
  rules: ['signin.hashing-takes-turns-by-address'],
}, async () => {
  const { run, started, ends } = createControlledQueue({ runningMax: 1, waitingMax: 4, ownerWaitingMax: 3 })
  const accepted = ['a1', 'a2', 'a3', 'a4'].map((name) => run(name, 'a'))
  const refused = await run('a5', 'a').catch((err: unknown) => err)
  accepted.push(run('b1', 'b'))

  for (let ended = 0; ended < 5; ended++) {
    ends[ended]?.resolve('done')
    await setImmediate()
  }
  await Promise.all(accepted)

  assert.ok(refused instanceof AppError && refused.code === 'OVERLOADED')
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'a4'])
})
