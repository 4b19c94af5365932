import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claimed } from './claims.ts'
import { createLanes, type Limits } from './lanes.ts'

const LIMITS: Limits = { total: 20, slowTotal: 6, width: { min: 1, start: 4, max: 8 }, perClaim: 12 }
const QUICK = { tookMs: 5, wasSlow: false }
const SLOW = { tookMs: 10_000, wasSlow: false }

function keyOf(endpointId: string) {
  return { organizationId: 'acme', endpointId }
}

/** As if the database had given as much as was asked for, or less. */
function claimedOf(plan: ReturnType<ReturnType<typeof createLanes>['plan']>, of = (count: number) => count): Claimed[] {
  return plan.flatMap(({ want }) =>
    Array.from({ length: of(want.count) }, () => ({ endpoint_id: want.endpointId }) as Claimed),
  )
}

test('what is free is shared evenly among those who may have something due, and each gets at least one', () => {
  const lanes = createLanes(LIMITS)
  lanes.hint(['a', 'b', 'c', 'd'].map(keyOf))

  const plan = lanes.plan()

  assert.deepEqual(
    plan.map(({ want }) => [want.endpointId, want.count]),
    [
      ['a', 3],
      ['b', 3],
      ['c', 3],
      ['d', 3],
    ],
  )
})

test('endpoints come in turn: with more of them than fit into one claim, the next claim has the others first', () => {
  const lanes = createLanes(LIMITS)
  const names = Array.from({ length: 15 }, (_, i) => `e${i}`)
  lanes.hint(names.map(keyOf))

  const [first, second] = [lanes.plan(), lanes.plan()]

  assert.deepEqual(
    first.map(({ want }) => want.endpointId),
    names.slice(0, 12),
  )
  assert.deepEqual(second.map(({ want }) => want.endpointId).slice(0, 3), names.slice(12))
})

test('endpoints that had all they were asked for are asked for more the next time, fewer of them to a claim', () => {
  const lanes = createLanes(LIMITS)
  const names = Array.from({ length: 12 }, (_, i) => `e${i}`)
  lanes.hint(names.map(keyOf))
  const asked: number[][] = []

  for (let claim = 0; claim < 5; claim++) {
    const plan = lanes.plan()
    lanes.settle(plan, claimedOf(plan))
    asked.push(plan.map(({ want }) => want.count))
  }

  assert.deepEqual(asked, [Array(12).fill(1), Array(6).fill(2), Array(6).fill(2), Array(3).fill(4), Array(3).fill(4)])
})

// Half to each: an event among few must not wait for the many of others, nor these for an endless row of it.
test('a claim is divided between endpoints with little to deliver and those with much, however many there are of each', () => {
  const lanes = createLanes(LIMITS)
  const [many, few] = [20, 20].map((length, side) => Array.from({ length }, (_, i) => `${side}-${i}`))
  lanes.hint(many!.map(keyOf))
  for (const plan of [lanes.plan(), lanes.plan()]) lanes.settle(plan, claimedOf(plan))
  lanes.hint(few!.map(keyOf))

  const wants = lanes.plan().map(({ want }) => want)

  const total = (names: string[]) =>
    wants.filter(({ endpointId }) => names.includes(endpointId)).reduce((sum, { count }) => sum + count, 0)
  assert.deepEqual([total(few!), total(many!)], [6, 6])
})

test('an endpoint that gave less than was asked of it is not asked again, until somebody hints', () => {
  const lanes = createLanes(LIMITS)
  lanes.hint([keyOf('a')])
  const plan = lanes.plan()

  lanes.settle(
    plan,
    claimedOf(plan, (count) => count - 1),
  )
  const empty = lanes.hasWork()
  lanes.hint([keyOf('a')])

  assert.deepEqual([empty, lanes.hasWork()], [false, true])
})

test('a hint that comes while a claim is under way is not forgotten by its result', () => {
  const lanes = createLanes(LIMITS)
  lanes.hint([keyOf('a')])
  const plan = lanes.plan()
  lanes.hint([keyOf('a')])

  lanes.settle(plan, [])

  assert.ok(lanes.hasWork())
})

test('an endpoint widens with each quick answer up to its bound, and halves with each slow one', () => {
  const lanes = createLanes(LIMITS)
  const lane = lanes.laneOf(keyOf('a'))
  const widths: number[] = []
  for (const how of [QUICK, QUICK, QUICK, QUICK, QUICK, QUICK, SLOW, SLOW, SLOW, SLOW]) {
    lanes.begin(lane)
    lanes.end(lane, how)
    widths.push(lane.width)
  }

  assert.deepEqual(widths, [5, 6, 7, 8, 8, 8, 4, 2, 1, 1])
})

test('an endpoint that has as many attempts under way as it is wide is not asked for more', () => {
  const lanes = createLanes(LIMITS)
  lanes.hint([keyOf('a'), keyOf('b')])
  const lane = lanes.laneOf(keyOf('a'))

  for (let i = 0; i < LIMITS.width.start; i++) lanes.begin(lane)

  assert.deepEqual(
    lanes.plan().map(({ want }) => want.endpointId),
    ['b'],
  )
})

test('the less is free, the less an endpoint may hold: those that took much leave something to those that took nothing', () => {
  const lanes = createLanes({ ...LIMITS, total: 40, width: { min: 1, start: 30, max: 30 } })
  const greedy = lanes.laneOf(keyOf('greedy'))
  lanes.hint(['greedy', 'other'].map(keyOf))

  while (lanes.plan().some(({ lane }) => lane === greedy)) lanes.begin(greedy)

  assert.equal(greedy.inFlight, 8)
  assert.deepEqual(
    lanes.plan().map(({ want }) => [want.endpointId, want.count]),
    [['other', 8]],
  )
})

test('an attempt that was not made says nothing of its endpoint', () => {
  const lanes = createLanes(LIMITS)
  const lane = lanes.laneOf(keyOf('a'))

  lanes.end(lane, { tookMs: null, wasSlow: lanes.begin(lane) })

  assert.deepEqual([lane.width, lane.isSlow, lane.inFlight, lanes.inFlight()], [LIMITS.width.start, false, 0, 0])
})

test('slow endpoints together have a part of the whole, and leave the rest to the others', {
  rules: ['D10-34'],
}, () => {
  const lanes = createLanes({ ...LIMITS, width: { min: 4, start: 4, max: 8 } })
  const slow = ['a', 'b', 'c'].map((name) => lanes.laneOf(keyOf(name)))
  for (const lane of slow) {
    lanes.begin(lane)
    lanes.end(lane, SLOW)
  }
  lanes.hint(['a', 'b', 'c', 'quick'].map(keyOf))

  for (const lane of slow.slice(0, 2)) for (let i = 0; i < 3; i++) assert.equal(lanes.begin(lane), true)

  assert.deepEqual(
    lanes.plan().map(({ want }) => want.endpointId),
    ['quick'],
  )
  for (let i = 0; i < 3; i++) lanes.end(slow[0]!, { tookMs: 10_000, wasSlow: true })
  assert.deepEqual(
    lanes
      .plan()
      .map(({ want }) => want.endpointId)
      .toSorted(),
    ['a', 'b', 'c', 'quick'],
  )
})

test('a worker that has all attempts under way asks for nothing', () => {
  const lanes = createLanes({ ...LIMITS, width: { min: 1, start: 30, max: 30 } })
  lanes.hint([keyOf('a')])

  for (let i = 0; i < LIMITS.total; i++) lanes.begin(lanes.laneOf(keyOf('b')))

  assert.equal(lanes.hasWork(), false)
  assert.deepEqual(lanes.plan(), [])
})

test('endpoints of which nothing is to be known any more are forgotten, and others are not', () => {
  const lanes = createLanes(LIMITS, { rememberedMax: 2 })
  const [kept, idle] = [lanes.laneOf(keyOf('kept')), lanes.laneOf(keyOf('idle'))]
  lanes.begin(kept)

  lanes.hint(['x', 'y'].map(keyOf))

  assert.equal(lanes.laneOf(keyOf('kept')), kept)
  assert.notEqual(lanes.laneOf(keyOf('idle')), idle)
})
