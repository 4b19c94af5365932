import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS, listKeys, QUICK, SLOW, toKey } from '../test/lane-keys.ts'
import type { ClaimedDelivery } from './delivery.ts'
import { createLanes, type Lanes } from './lanes.ts'

/** Starts what can be claimed, until nothing can. Returns the attempts in flight of each organization. */
function startAll(lanes: Lanes): Record<string, number> {
  const started: Record<string, number> = {}
  while (lanes.hasWork()) {
    for (const { lane, request } of lanes.planClaim()) {
      for (let i = 0; i < request.count; i++) lanes.startAttempt(lane)
      started[lane.organizationId] = (started[lane.organizationId] ?? 0) + request.count
    }
  }
  return started
}

/** Reports a claim with as many deliveries as requested, or fewer. */
function claimAll(plan: ReturnType<Lanes['planClaim']>, of = (count: number) => count): ClaimedDelivery[] {
  return plan.flatMap(({ request }) =>
    Array.from({ length: of(request.count) }, () => ({ endpoint_id: request.endpointId }) as ClaimedDelivery),
  )
}

test('free slots are shared evenly among lanes that may have due deliveries, at least one each', () => {
  const lanes = createLanes(LIMITS)
  lanes.wake(['a', 'b', 'c', 'd'].map(toKey))

  const plan = lanes.planClaim()

  assert.deepEqual(
    plan.map(({ request }) => [request.endpointId, request.count]),
    [
      ['a', 3],
      ['b', 3],
      ['c', 3],
      ['d', 3],
    ],
  )
})

test('lanes rotate: lanes that did not fit into one claim come first in the next', () => {
  const lanes = createLanes(LIMITS)
  const names = Array.from({ length: 15 }, (_, i) => `e${i}`)
  lanes.wake(names.map(toKey))

  const [first, second] = [lanes.planClaim(), lanes.planClaim()]

  assert.deepEqual(
    first.map(({ request }) => request.endpointId),
    names.slice(0, 12),
  )
  assert.deepEqual(second.map(({ request }) => request.endpointId).slice(0, 3), names.slice(12))
})

test('a full batch doubles the batch size of its lane, so that fewer lanes fit into a claim', () => {
  const lanes = createLanes({ ...LIMITS, inFlightMax: 40 })
  const names = Array.from({ length: 12 }, (_, i) => `e${i}`)
  lanes.wake(names.map(toKey))
  const asked: number[][] = []

  for (let claim = 0; claim < 5; claim++) {
    const plan = lanes.planClaim()
    lanes.settleClaim(plan, claimAll(plan))
    asked.push(plan.map(({ request }) => request.count))
  }

  assert.deepEqual(asked, [Array(12).fill(1), Array(6).fill(2), Array(6).fill(2), Array(3).fill(4), Array(3).fill(4)])
})

test('a claim is divided evenly between light and backlogged lanes', () => {
  const lanes = createLanes(LIMITS)
  const [many, few] = [20, 20].map((length, side) => Array.from({ length }, (_, i) => `${side}-${i}`))
  lanes.wake(many!.map(toKey))
  for (const plan of [lanes.planClaim(), lanes.planClaim()]) lanes.settleClaim(plan, claimAll(plan))
  lanes.wake(few!.map(toKey))

  const wants = lanes.planClaim().map(({ request }) => request)

  const total = (names: string[]) =>
    wants.filter(({ endpointId }) => names.includes(endpointId)).reduce((sum, { count }) => sum + count, 0)
  assert.deepEqual([total(few!), total(many!)], [6, 6])
})

test('a lane that yielded less than requested is not planned again until a wake-up', () => {
  const lanes = createLanes(LIMITS)
  lanes.wake([toKey('a')])
  const plan = lanes.planClaim()

  lanes.settleClaim(
    plan,
    claimAll(plan, (count) => count - 1),
  )
  const empty = lanes.hasWork()
  lanes.wake([toKey('a')])

  assert.deepEqual([empty, lanes.hasWork()], [false, true])
})

test('a wake-up during a claim survives the result of the claim', () => {
  const lanes = createLanes(LIMITS)
  lanes.wake([toKey('a')])
  const plan = lanes.planClaim()
  lanes.wake([toKey('a')])

  lanes.settleClaim(plan, [])

  assert.ok(lanes.hasWork())
})

test('the concurrency limit grows by one with each quick response and halves with each slow one', () => {
  const lanes = createLanes(LIMITS)
  const lane = lanes.getLane(toKey('a'))
  const limits: number[] = []
  for (const how of [QUICK, QUICK, QUICK, QUICK, QUICK, QUICK, SLOW, SLOW, SLOW, SLOW]) {
    lanes.startAttempt(lane)
    lanes.endAttempt(lane, how)
    limits.push(lane.concurrencyLimit)
  }

  assert.deepEqual(limits, [5, 6, 7, 8, 8, 8, 4, 2, 1, 1])
})

test('a lane at its concurrency limit is not planned', () => {
  const lanes = createLanes(LIMITS)
  lanes.wake([toKey('a'), toKey('b')])
  const lane = lanes.getLane(toKey('a'))

  for (let i = 0; i < LIMITS.concurrency.start; i++) lanes.startAttempt(lane)

  assert.deepEqual(
    lanes.planClaim().map(({ request }) => request.endpointId),
    ['b'],
  )
})

test('a lane may occupy only a share of the free slots, so that some are left for other lanes', () => {
  const lanes = createLanes({ ...LIMITS, inFlightMax: 40, concurrency: { min: 1, start: 30, max: 30 } })
  const greedy = lanes.getLane(toKey('greedy'))
  lanes.wake(['greedy', 'other'].map(toKey))

  while (lanes.planClaim().some(({ lane }) => lane === greedy)) lanes.startAttempt(greedy)

  assert.equal(greedy.inFlight, 8)
  assert.deepEqual(
    lanes.planClaim().map(({ request }) => [request.endpointId, request.count]),
    [['other', 8]],
  )
})

test('an attempt that was not made leaves the concurrency limit as it is', () => {
  const lanes = createLanes(LIMITS)
  const lane = lanes.getLane(toKey('a'))

  lanes.endAttempt(lane, { tookMs: null, wasSlow: lanes.startAttempt(lane) })

  assert.deepEqual(
    [lane.concurrencyLimit, lane.isSlow, lane.inFlight, lanes.countInFlight()],
    [LIMITS.concurrency.start, false, 0, 0],
  )
})

test('slow lanes share a part of the slots and leave the rest to the others', {
  rules: ['delivery.slow-receiver-delays-no-other'],
}, () => {
  const lanes = createLanes({ ...LIMITS, concurrency: { min: 4, start: 4, max: 8 } })
  const slow = ['a', 'b', 'c'].map((name) => lanes.getLane(toKey(name)))
  for (const lane of slow) {
    lanes.startAttempt(lane)
    lanes.endAttempt(lane, SLOW)
  }
  lanes.wake(['a', 'b', 'c', 'quick'].map(toKey))

  for (const lane of slow.slice(0, 2)) for (let i = 0; i < 3; i++) assert.equal(lanes.startAttempt(lane), true)

  assert.deepEqual(
    lanes.planClaim().map(({ request }) => request.endpointId),
    ['quick'],
  )
  for (const lane of [...Array(3).fill(slow[0]!), slow[1]!]) lanes.endAttempt(lane, { tookMs: 10_000, wasSlow: true })
  assert.deepEqual(
    lanes
      .planClaim()
      .map(({ request }) => request.endpointId)
      .toSorted(),
    ['a', 'b', 'c', 'quick'],
  )
})

test('a worker without free slots plans no claim', () => {
  const lanes = createLanes({ ...LIMITS, concurrency: { min: 1, start: 30, max: 30 } })
  lanes.wake([toKey('a')])

  for (let i = 0; i < LIMITS.inFlightMax; i++) lanes.startAttempt(lanes.getLane(toKey('b')))

  assert.equal(lanes.hasWork(), false)
  assert.deepEqual(lanes.planClaim(), [])
})

test('idle lanes beyond the maximum are forgotten, busy lanes are kept', () => {
  const lanes = createLanes(LIMITS, { lanesMax: 2 })
  const [kept, idle] = [lanes.getLane(toKey('kept')), lanes.getLane(toKey('idle'))]
  lanes.startAttempt(kept)

  lanes.wake(['x', 'y'].map(toKey))

  assert.equal(lanes.getLane(toKey('kept')), kept)
  assert.notEqual(lanes.getLane(toKey('idle')), idle)
})

test('a lane is kept while a claim of it is in progress, and forgotten afterwards', () => {
  const lanes = createLanes(LIMITS, { lanesMax: 1 })
  lanes.wake([toKey('claimed')])
  const plan = lanes.planClaim()
  const claimed = plan[0]?.lane
  lanes.settleClaim(plan, [])

  lanes.wake([toKey('x')])
  const during = lanes.getLane(toKey('claimed'))
  lanes.endClaim(plan)
  lanes.wake([toKey('y')])

  assert.equal(during, claimed)
  assert.notEqual(lanes.getLane(toKey('claimed')), claimed)
})

// Its receivers may all be slow, which is known only after their first responses.
test('an organization with very many endpoints occupies half of the slots, and the next half of what is left', {
  rules: ['delivery.slow-receiver-delays-no-other'],
}, () => {
  const lanes = createLanes({ ...LIMITS, inFlightMax: 60 })

  const started = ['acme', 'globex', 'initech'].map((organizationId) => {
    lanes.wake(listKeys(organizationId, 100))
    return startAll(lanes)
  })

  assert.deepEqual(started, [{ acme: 30 }, { globex: 15 }, { initech: 8 }])
})

test('slow lanes of one organization occupy half of the slots for slow lanes, and its quick lanes still find some', {
  rules: ['delivery.slow-receiver-delays-no-other'],
}, () => {
  const lanes = createLanes(LIMITS)
  const slow = [...listKeys('acme', 9), ...listKeys('globex', 1)]
  for (const key of slow) {
    const lane = lanes.getLane(key)
    lanes.endAttempt(lane, { ...SLOW, wasSlow: lanes.startAttempt(lane) })
  }

  lanes.wake(listKeys('acme', 9))
  const started = [startAll(lanes)]
  for (const keys of [listKeys('globex', 1), listKeys('acme', 10).slice(9)]) {
    lanes.wake(keys)
    started.push(startAll(lanes))
  }

  assert.deepEqual(started[0], { acme: 3 })
  assert.ok(started[1]?.globex)
  assert.ok(started[2]?.acme)
})

test('an organization has half of the bytes in flight, and what does not fit holds only the lane that it is for', {
  rules: ['delivery.slow-receiver-delays-no-other'],
}, () => {
  const lanes = createLanes(LIMITS)
  const [large, small] = listKeys('acme', 2).map(lanes.getLane)
  const other = lanes.getLane(toKey('other'))
  lanes.wake([large!, small!, other])
  const listPlanned = () => lanes.planClaim().map(({ lane }) => lane)

  const fitting = [20, 20, 20].map((bytes) => lanes.reserveBytes(large!, bytes))
  const whileFull = listPlanned()
  const beside = [lanes.reserveBytes(small!, 5), lanes.reserveBytes(other, 20)]
  for (const bytes of [20, 20]) lanes.releaseBytes(large!, bytes)

  assert.deepEqual(fitting, [true, true, false])
  assert.deepEqual(whileFull, [other, small])
  assert.deepEqual(beside, [true, true])
  assert.ok(listPlanned().includes(large!))
})

test('no more is claimed than fits, by the largest payload of the last claim of each lane', () => {
  const lanes = createLanes(LIMITS)
  const keys = listKeys('acme', 8)
  lanes.wake(keys)
  for (const key of keys) {
    lanes.reserveBytes(lanes.getLane(key), 20)
    lanes.reserveBytes(lanes.getLane(key), 1)
  }
  const countPlanned = () => lanes.planClaim().reduce((sum, { request }) => sum + request.count, 0)

  const whileFull = [lanes.hasWork(), countPlanned()]
  for (const key of keys.slice(0, 2)) lanes.releaseBytes(lanes.getLane(key), 20)
  const plan = lanes.planClaim()
  lanes.settleClaim(plan, claimAll(plan))

  assert.deepEqual(whileFull, [false, 0])
  assert.equal(plan.length, 2)
  assert.ok(countPlanned() > 2)
})

test('any payload fits alone, and others wait for it', () => {
  const lanes = createLanes(LIMITS)
  const [large, small] = [lanes.getLane(toKey('large')), lanes.getLane(toKey('small'))]
  lanes.wake([large, small])

  const alone = lanes.reserveBytes(large, 150)
  const beside = lanes.reserveBytes(small, 1)
  const free = lanes.countFreeBytes()
  lanes.releaseBytes(large, 150)
  const planned = lanes.planClaim().map(({ lane, request }) => [lane.endpointId, request.count])

  assert.deepEqual([alone, beside, free], [true, false, 0])
  assert.deepEqual(planned, [['large', 1]])
})

test('organizations take turns in a claim: one with very many endpoints does not stand before another', {
  rules: ['fanout.claims-take-turns'],
}, () => {
  const lanes = createLanes(LIMITS)
  lanes.wake(listKeys('large', 1000))
  const [other, another] = [toKey('other'), toKey('another')]
  lanes.wake([other, another])

  const planned = lanes.planClaim().map(({ request }) => request.endpointId)

  assert.deepEqual(planned.slice(0, 4), ['large 0', other.endpointId, another.endpointId, 'large 1'])
})
