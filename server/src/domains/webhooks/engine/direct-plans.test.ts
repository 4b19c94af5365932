import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS, listKeys, SLOW, toKey } from '../test/lane-keys.ts'
import { createLanes, type Lanes } from './lanes.ts'

/** A lane that has delivered before and has nothing due. */
function addReady(lanes: Lanes, key: ReturnType<typeof toKey>) {
  const lane = lanes.getLane(key)
  lane.target = {
    version: 3,
    url: 'https://example.com/',
    secret: 'secret',
    previousSecret: undefined,
    deliveryFormat: 'native',
    mediaUrls: 'upstream',
    inspectorAnswer: null,
  }
  return lane
}

test('attempts of a lane with nothing due are planned once, with the version that the worker knows', () => {
  const lanes = createLanes(LIMITS)
  const [a] = [addReady(lanes, toKey('a')), addReady(lanes, toKey('b'))]

  const first = lanes.planDirect(new Map([[a.organizationId, 3]]))
  const second = lanes.planDirect(new Map([[a.organizationId, 3]]))
  lanes.endDirect(first)
  const third = lanes.planDirect(new Map([[a.organizationId, 3]]))

  assert.deepEqual(first, [{ lane: a, version: 3, count: 3 }])
  assert.deepEqual(second, [])
  assert.deepEqual(third, first)
  assert.equal(lanes.countInFlight(), 3)
})

test('nothing is planned for a lane that is unknown, slow or may have due deliveries', () => {
  const lanes = createLanes(LIMITS)
  const slow = addReady(lanes, toKey('slow'))
  lanes.endAttempt(slow, { ...SLOW, wasSlow: lanes.startAttempt(slow) })
  const due = addReady(lanes, toKey('due'))
  lanes.wake([due])
  const unknown = lanes.getLane(toKey('unknown'))
  const counts = [slow, due, unknown, toKey('none')].map(({ organizationId }) => [organizationId, 1] as const)

  assert.deepEqual(lanes.planDirect(new Map(counts)), [])
  assert.equal(lanes.countInFlight(), 0)
})

test('the lanes of one organization hold no more slots than its share', () => {
  const lanes = createLanes(LIMITS)
  for (const key of listKeys('large', 15)) addReady(lanes, key)

  const plan = lanes.planDirect(new Map([['large', 1]]))

  assert.equal(plan.length, 10)
})

test('a lane with held slots stays in memory, and goes when they are given back', () => {
  const lanes = createLanes(LIMITS, { lanesMax: 1 })
  const held = addReady(lanes, toKey('held'))
  const plan = lanes.planDirect(new Map([[held.organizationId, 1]]))

  lanes.wake([toKey('other')])
  const kept = lanes.getLane(held)
  lanes.endDirect(plan)
  lanes.wake([toKey('another')])

  assert.equal(kept, held)
  assert.notEqual(lanes.getLane(held), held)
})

test('while a claim of an organization is in progress, nothing more is planned for it', () => {
  const lanes = createLanes(LIMITS)
  const [claimed, ready] = listKeys('acme', 2).map((key) => addReady(lanes, key))
  const other = addReady(lanes, toKey('other'))
  lanes.wake(claimed ? [claimed] : [])
  const counts = new Map([
    ['acme', 1],
    [other.organizationId, 1],
  ])

  const plan = lanes.planClaim()
  const during = lanes.planDirect(counts)
  lanes.endDirect(during)
  lanes.settleClaim(plan, [])
  lanes.endClaim(plan)
  const after = lanes.planDirect(counts)

  assert.deepEqual(
    during.map(({ lane }) => lane),
    [other],
  )
  assert.deepEqual(
    after.map(({ lane }) => lane),
    [claimed, ready, other],
  )
})

test('endpoints that were forgotten leave room for others of their organization', () => {
  const lanes = createLanes(LIMITS)
  for (const key of listKeys('acme', 30)) {
    addReady(lanes, key)
    lanes.forget(key)
  }
  const ready = addReady(lanes, { organizationId: 'acme', endpointId: 'last' })

  const plan = lanes.planDirect(new Map([['acme', 1]]))

  assert.deepEqual(
    plan.map(({ lane }) => lane),
    [ready],
  )
})
