import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countFailures } from './failure-count.ts'

/** Results in order: `x` is a failure, `.` a success. */
function toResults(text: string): { isSuccess: boolean }[] {
  return [...text].map((letter) => ({ isSuccess: letter === '.' }))
}

const CASES: [number, string, ReturnType<typeof countFailures>][] = [
  [0, '', { failures: 0, warnings: [], isPaused: false }],
  [0, '.', { failures: 0, warnings: [], isPaused: false }],
  [0, 'x', { failures: 1, warnings: [], isPaused: false }],
  [8, '.', { failures: 0, warnings: [], isPaused: false }],
  [8, 'x', { failures: 9, warnings: [], isPaused: false }],
  [9, 'x', { failures: 10, warnings: [10], isPaused: false }],
  [10, 'x', { failures: 11, warnings: [], isPaused: false }],
  [14, 'x', { failures: 15, warnings: [15], isPaused: false }],
  [18, 'x', { failures: 19, warnings: [], isPaused: false }],
  [19, 'x', { failures: 20, warnings: [], isPaused: true }],
  [19, '.x', { failures: 1, warnings: [], isPaused: false }],
  [19, 'x.', { failures: 0, warnings: [], isPaused: true }],
  [19, 'x.x', { failures: 1, warnings: [], isPaused: true }],
  [25, 'x', { failures: 26, warnings: [], isPaused: true }],
  [0, 'x'.repeat(20), { failures: 20, warnings: [10, 15], isPaused: true }],
  [5, `${'x'.repeat(6)}.${'x'.repeat(10)}`, { failures: 10, warnings: [10, 10], isPaused: false }],
]

for (const [before, text, expected] of CASES) {
  test(`after ${before} consecutive failures, the results "${text}" make ${expected.failures}`, () => {
    assert.deepEqual(countFailures(before, toResults(text)), expected)
  })
}
