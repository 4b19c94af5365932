import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacedTurns } from './paced-turns.ts'

test('paced operations run one at a time in the order of arrival, also after one has failed', async () => {
  const run = createPacedTurns(0)
  const steps: string[] = []
  const operate = (name: string) =>
    run(async () => {
      steps.push(`${name} starts`)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`${name} ends`)
      if (name === 'one') throw new Error(name)
      return name
    })

  const ended = await Promise.allSettled([operate('one'), operate('two'), operate('three')])

  const values = ended.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))
  assert.deepEqual(values, ['failed', 'two', 'three'])
  assert.deepEqual(steps, ['one starts', 'one ends', 'two starts', 'two ends', 'three starts', 'three ends'])
})

test('after a paced operation the next one waits for as many times as long as it took', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const run = createPacedTurns(2)
  const started: number[] = []
  const operate = (ms: number) =>
    run(async () => {
      started.push(now)
      now += ms
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  const ended = Promise.all([operate(50), operate(10), operate(0)])
  await settle()
  now += 99
  t.mock.timers.tick(99)
  await settle()
  assert.deepEqual(started, [0])
  now += 1
  t.mock.timers.tick(1)
  await settle()
  assert.deepEqual(started, [0, 150])
  t.mock.timers.tick(20)
  await ended

  assert.equal(started.length, 3)
})
