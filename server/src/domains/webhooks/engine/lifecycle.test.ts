import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { startWebhooks } from '../test/fixture.ts'
import { type Act, startLifecycle } from '../test/lifecycle.ts'

/** Sequences that always run, so that each state occurs. */
const EXAMPLES: [Act[]][] = [
  [
    [
      { act: 'publish', count: 1 },
      { act: 'outage', rounds: 11, isReactivated: false },
      { act: 'replay', pick: 0 },
    ],
  ],
  [
    [
      { act: 'publish', count: 19 },
      { act: 'test' },
      { act: 'outage', rounds: 17, isReactivated: false },
      { act: 'runJobs' },
    ],
  ],
  [
    [
      { act: 'publish', count: 5 },
      { act: 'claim', count: 2 },
      { act: 'setStatus', status: 'disabled' },
      { act: 'setStatus', status: 'active' },
      { act: 'wait', time: '40 seconds' },
      { act: 'runJobs' },
      { act: 'finishClaims', isSuccess: true },
    ],
  ],
  [
    [
      { act: 'publish', count: 3 },
      { act: 'claim', count: 2 },
      { act: 'wait', time: '40 seconds' },
      { act: 'runJobs' },
      { act: 'finishClaims', isSuccess: true },
      { act: 'claim', count: 3 },
      { act: 'finishClaims', isSuccess: false },
    ],
  ],
  [
    [
      { act: 'publish', count: 1 },
      { act: 'claim', count: 1 },
      { act: 'wait', time: '40 seconds' },
      { act: 'runJobs' },
      { act: 'wait', time: '10 minutes' },
      { act: 'claim', count: 1 },
      { act: 'finishClaims', isSuccess: false },
    ],
  ],
]
const RUNS = { numRuns: 25, examples: EXAMPLES }

const ACTS: [number, fc.Arbitrary<Act>][] = [
  [6, fc.record({ act: fc.constant('publish'), count: fc.integer({ min: 1, max: 9 }) })],
  [6, fc.record({ act: fc.constant('deliver'), isUp: fc.boolean(), meanwhile: fc.constant(null) })],
  [2, fc.record({ act: fc.constant('deliver'), isUp: fc.boolean(), meanwhile: fc.constantFrom('paused', 'disabled') })],
  [2, fc.record({ act: fc.constant('outage'), rounds: fc.integer({ min: 2, max: 11 }), isReactivated: fc.boolean() })],
  [4, fc.record({ act: fc.constant('wait'), time: fc.constantFrom('40 seconds', '10 minutes', '9 hours', '3 days') })],
  [3, fc.record({ act: fc.constant('runJobs') })],
  [2, fc.record({ act: fc.constant('setStatus'), status: fc.constantFrom('paused', 'disabled') })],
  [4, fc.record({ act: fc.constant('setStatus'), status: fc.constant('active') })],
  [3, fc.record({ act: fc.constant('replay'), pick: fc.nat({ max: 99 }) })],
  [1, fc.record({ act: fc.constant('test') })],
  [1, fc.record({ act: fc.constant('rotate') })],
  [2, fc.record({ act: fc.constant('claim'), count: fc.integer({ min: 1, max: 5 }) })],
  [2, fc.record({ act: fc.constant('finishClaims'), isSuccess: fc.boolean() })],
]

const LIFECYCLES: fc.Arbitrary<Act[]> = fc
  .tuple(
    fc.array(fc.oneof(...ACTS.map(([weight, arbitrary]) => ({ weight, arbitrary }))), { minLength: 8, maxLength: 24 }),
    fc.option(fc.constantFrom<Act>({ act: 'setStatus', status: 'deleted' }, deletion(true), deletion(false)), {
      freq: 2,
    }),
  )
  .map(([acts, end]) => (end ? [...acts, end, ...AFTERWARDS] : acts))

/** Acts after a deletion, which must change nothing. */
const AFTERWARDS: Act[] = [
  { act: 'publish', count: 2 },
  { act: 'deliver', isUp: true, meanwhile: null },
  { act: 'finishClaims', isSuccess: true },
  { act: 'wait', time: '3 days' },
  { act: 'setStatus', status: 'active' },
  { act: 'test' },
  { act: 'runJobs' },
  { act: 'deliver', isUp: true, meanwhile: null },
]

function deletion(isUp: boolean): Act {
  return { act: 'deliver', isUp, meanwhile: 'deleted' }
}

test('any sequence of changes and attempts keeps deliveries in the states of the contract', {
  rules: ['delivery.terminal-state-never-changes', 'pause.after-20-failures', 'signature.is-lowercase-hex'],
}, async (t) => {
  // The acts may take months, and the log shows no delivery that is older than this.
  const fixture = await startWebhooks(t, { env: { RETENTION_EVENTS_DAYS: '3650' } })
  const met = new Set<string>()

  await fc.assert(
    fc.asyncProperty(LIFECYCLES, async (acts) => {
      const life = await startLifecycle(fixture)
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

  // Without this check the property would also hold for sequences without effects.
  const wanted = ['automatic pause', 'canceled', 'dead', 'pending', 'processing', 'retry', 'succeeded']
  assert.deepEqual([...met].toSorted(), wanted)
})
