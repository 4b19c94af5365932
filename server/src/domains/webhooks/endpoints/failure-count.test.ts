import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFailures } from './failure-count.ts'

/** Results in order: `x` is a failure, `X` one that can pause the endpoint, `.` a success. */
function toResults(text: string) {
  return [...text].map((letter) => ({ isSuccess: letter === '.', canPause: letter === 'X' }))
}

type Expected = Partial<ReturnType<typeof countFailures>> & { failures: number }

const CASES: [number, string, Expected][] = [
  [0, '', { failures: 0 }],
  [0, '.', { failures: 0 }],
  [0, 'x', { failures: 1, isNewRun: true }],
  [3, 'x', { failures: 4 }],
  [4, 'x', { failures: 5, isSpacedNow: true }],
  [5, 'X', { failures: 6 }],
  [8, '.', { failures: 0 }],
  [8, 'x', { failures: 9 }],
  [9, 'x', { failures: 10, warnings: [10] }],
  [10, 'x', { failures: 11 }],
  [14, 'X', { failures: 15, warnings: [15] }],
  [18, 'x', { failures: 19 }],
  [19, 'x', { failures: 19 }],
  [19, 'X', { failures: 20, isPaused: true }],
  [19, '.X', { failures: 1, isNewRun: true }],
  [19, 'X.', { failures: 0, isPaused: true }],
  [19, 'X.x', { failures: 1, isPaused: true, isNewRun: true }],
  [18, 'xxX', { failures: 20, isPaused: true }],
  [20, 'x', { failures: 20 }],
  [20, 'XX', { failures: 20 }],
  [19, 'XX', { failures: 20, isPaused: true }],
  [0, 'x'.repeat(40), { failures: 19, warnings: [10, 15], isNewRun: true, isSpacedNow: true }],
  [5, `${'x'.repeat(6)}.${'x'.repeat(10)}`, { failures: 10, warnings: [10, 10], isNewRun: true, isSpacedNow: true }],
]

for (const [before, text, expected] of CASES) {
  test(`after ${before} consecutive failures, the results "${text}" make ${expected.failures}`, {
    rules: ['pause.count-stops-at-twenty'],
  }, () => {
    assert.deepEqual(countFailures(before, toResults(text)), {
      warnings: [],
      isPaused: false,
      isNewRun: false,
      isSpacedNow: false,
      ...expected,
    })
  })
}
