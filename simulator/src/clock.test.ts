import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from './clock.ts'

const START = Date.parse('2026-11-15T12:00:00Z')

test('a manual clock stands still and runs tasks in the order of their times', async () => {
  const clock = createClock('manual', START)
  const seen: [string, number][] = []
  const note = (name: string) => () => void seen.push([name, clock.now() - START])
  clock.after(300, note('c'))
  clock.after(100, note('a'))
  clock.after(200, note('b1'))
  clock.after(200, note('b2'))

  assert.deepEqual(seen, [])
  await clock.advance(250)
  assert.deepEqual(seen, [
    ['a', 100],
    ['b1', 200],
    ['b2', 200],
  ])
  assert.equal(clock.now(), START + 250)
  await clock.advance(50)
  assert.equal(seen.length, 4)
})

test('a task that another task schedules runs within the same advance', async () => {
  const clock = createClock('manual', START)
  let count = 0
  const again = async () => {
    count += 1
    await Promise.resolve()
    clock.after(10, again)
  }
  clock.after(10, again)

  await clock.advance(100)

  assert.equal(count, 10)
})

test('concurrent advances add up', async () => {
  const clock = createClock('manual', START)

  await Promise.all([clock.advance(100), clock.advance(100)])

  assert.equal(clock.now(), START + 200)
})

test('settling runs due tasks and does not move the time', async () => {
  const clock = createClock('manual', START)
  let ran = 0
  clock.after(0, () => void ran++)
  clock.after(1, () => void ran++)

  await clock.settle()

  assert.equal(ran, 1)
  assert.equal(clock.now(), START)
})

test('a live clock runs tasks in real time and can be advanced', async () => {
  const clock = createClock('live', START)
  await new Promise<void>((resolve) => clock.after(1, resolve))
  let ran = false
  clock.after(86_400_000, () => {
    ran = true
  })

  await clock.advance(86_400_000)

  assert.ok(ran)
  assert.ok(clock.now() >= START + 86_400_000)
  clock.clear()
})

test('clearing a clock removes its tasks, and many tasks keep their order', async () => {
  const clock = createClock('manual', START)
  clock.after(1, () => assert.fail('was to be forgotten'))
  clock.clear()
  const moments: number[] = []
  for (let task = 0; task < 500; task++) {
    const moment = (task * 7919) % 1000
    clock.after(moment, () => void moments.push(moment))
  }

  await clock.advance(1_000)

  assert.equal(moments.length, 500)
  assert.deepEqual(
    moments,
    moments.toSorted((a, b) => a - b),
  )
})
