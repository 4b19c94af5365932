import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planFaults } from './faults.ts'
import { planOperations } from './operations.ts'
import { readSeeds } from './options.ts'

const RUN_MS = 45_000

test('a seed fixes the operations and the faults with their times', () => {
  const plan = (seed: number) => [planFaults(seed, RUN_MS), planOperations(seed, { runMs: RUN_MS, perSecond: 10 })]

  assert.deepEqual(plan(7), plan(7))
  assert.notDeepEqual(plan(7), plan(8))
})

test('all faults begin within the run', () => {
  const faults = planFaults(1, RUN_MS)

  assert.notEqual(faults.length, 0)
  assert.ok(faults.every(({ atMs }) => atMs > 0 && atMs < RUN_MS))
})

test('seeds are given as ranges and single numbers', () => {
  assert.deepEqual(readSeeds('1-3,7'), [1, 2, 3, 7])
})
