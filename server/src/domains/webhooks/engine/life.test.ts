import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Act, startLife } from '../test/life.ts'
import { startScene } from '../test/scene.ts'

/** Lives that always run, so that each state occurs. */
const EXAMPLES: [Act[]][] = [
  [
    [
      { act: 'happen', count: 1 },
      { act: 'outage', rounds: 11, isInsisted: false },
      { act: 'replay', pick: 0 },
    ],
  ],
  [[{ act: 'happen', count: 19 }, { act: 'test' }, { act: 'outage', rounds: 2, isInsisted: false }, { act: 'keepUp' }]],
  [
    [
      { act: 'happen', count: 5 },
      { act: 'claim', count: 2 },
      { act: 'become', status: 'disabled' },
      { act: 'become', status: 'active' },
      { act: 'wait', time: '40 seconds' },
      { act: 'keepUp' },
      { act: 'comeBack', isSuccess: true },
    ],
  ],
  [
    [
      { act: 'happen', count: 3 },
      { act: 'claim', count: 2 },
      { act: 'wait', time: '40 seconds' },
      { act: 'keepUp' },
      { act: 'comeBack', isSuccess: true },
      { act: 'claim', count: 3 },
      { act: 'comeBack', isSuccess: false },
    ],
  ],
]
const RUNS = { numRuns: 25, examples: EXAMPLES }

const ACTS: [number, fc.Arbitrary<Act>][] = [
  [6, fc.record({ act: fc.constant('happen'), count: fc.integer({ min: 1, max: 9 }) })],
  [6, fc.record({ act: fc.constant('deliver'), isUp: fc.boolean(), meanwhile: fc.constant(null) })],
  [2, fc.record({ act: fc.constant('deliver'), isUp: fc.boolean(), meanwhile: fc.constantFrom('paused', 'disabled') })],
  [2, fc.record({ act: fc.constant('outage'), rounds: fc.integer({ min: 2, max: 11 }), isInsisted: fc.boolean() })],
  [4, fc.record({ act: fc.constant('wait'), time: fc.constantFrom('40 seconds', '10 minutes', '9 hours', '3 days') })],
  [3, fc.record({ act: fc.constant('keepUp') })],
  [2, fc.record({ act: fc.constant('become'), status: fc.constantFrom('paused', 'disabled') })],
  [4, fc.record({ act: fc.constant('become'), status: fc.constant('active') })],
  [3, fc.record({ act: fc.constant('replay'), pick: fc.nat({ max: 99 }) })],
  [1, fc.record({ act: fc.constant('test') })],
  [1, fc.record({ act: fc.constant('rotate') })],
  [2, fc.record({ act: fc.constant('claim'), count: fc.integer({ min: 1, max: 5 }) })],
  [2, fc.record({ act: fc.constant('comeBack'), isSuccess: fc.boolean() })],
]

const LIVES: fc.Arbitrary<Act[]> = fc
  .tuple(
    fc.array(fc.oneof(...ACTS.map(([weight, arbitrary]) => ({ weight, arbitrary }))), { minLength: 8, maxLength: 24 }),
    fc.option(fc.constantFrom<Act>({ act: 'become', status: 'deleted' }, deletion(true), deletion(false)), { freq: 2 }),
  )
  .map(([acts, end]) => (end ? [...acts, end, ...AFTERWARDS] : acts))

/** Nothing of an endpoint that is gone can be moved any more. */
const AFTERWARDS: Act[] = [
  { act: 'happen', count: 2 },
  { act: 'deliver', isUp: true, meanwhile: null },
  { act: 'comeBack', isSuccess: true },
  { act: 'wait', time: '3 days' },
  { act: 'become', status: 'active' },
  { act: 'test' },
  { act: 'keepUp' },
  { act: 'deliver', isUp: true, meanwhile: null },
]

function deletion(isUp: boolean): Act {
  return { act: 'deliver', isUp, meanwhile: 'deleted' }
}

test('any sequence of changes and attempts keeps deliveries in the states of the contract, and pauses at exactly twenty consecutive failures', {
  rules: ['D10-05', 'D10-11', 'DLV-03', 'LIM-17', 'RCV-02', 'RTY-04', 'STD-01', 'STW-05'],
}, async (t) => {
  const scene = await startScene(t)
  const met = new Set<string>()

  await fc.assert(
    fc.asyncProperty(LIVES, async (acts) => {
      const life = await startLife(scene)
      try {
        for (const act of acts) {
          await life.perform(act)
          for (const { status } of life.model.deliveries.values()) met.add(status)
          if (life.model.endpoint.pauses > 0) met.add('automatic pause')
        }
      } finally {
        await life.end()
      }
    }),
    RUNS,
  )

  // A property of lives in which nothing happens would hold as well.
  const wanted = ['automatic pause', 'canceled', 'dead', 'pending', 'processing', 'retry', 'succeeded']
  assert.deepEqual([...met].toSorted(), wanted)
})
