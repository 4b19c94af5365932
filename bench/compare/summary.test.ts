import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareValues, formatComparison, type Sample, type Samples, toJson } from './summary.ts'

function buildSample(cpu: number): Sample {
  return { cpu, hubCpu: cpu / 2, databaseCpu: cpu / 2, perSecond: 1500, statements: 0.125, walBytes: 4600 }
}

const SAMPLES: Samples = {
  what: 'a send',
  measured: [400, 380, 390].map(buildSample),
  baseline: [800, 760, 780].map(buildSample),
}

test('the ratio is the median of the ratios of the rounds', () => {
  const { measured, baseline, ratio } = compareValues([30, 10, 20], [50, 40, 30])

  assert.deepEqual({ measured, baseline, ratio }, { measured: 20, baseline: 40, ratio: 0.6 })
})

test('the commit is compared with itself by its odd and its even rounds', () => {
  assert.equal(compareValues([1, 1, 1, 1, 1], [10, 20, 10, 20, 10]).selfRatio, 0.5)
})

test('the spread is the range of the middle half of the rounds of the commit, of their median', () => {
  assert.equal(compareValues([1, 1, 1, 1, 1], [80, 90, 100, 110, 120]).spread, 0.2)
})

test('with one round the commit has no ratio to itself', () => {
  assert.equal(compareValues([1], [2]).selfRatio, null)
})

test('the table has both medians, their ratio, the ratio of the commit to itself, and its spread', () => {
  const [head, what, cpu, ...others] = formatComparison([SAMPLES], 'main')

  assert.match(head ?? '', /working tree +main +ratio +against self +spread$/)
  assert.equal(what, 'a send')
  assert.match(cpu ?? '', /^ {2}CPU µs +390 +780 +0\.500 +1\.0\d\d +5\.1 %$/)
  assert.equal(others.length, 5)
})

test('the line of JSON has every quantity of every figure', () => {
  const { with: ref, rounds, figures } = JSON.parse(toJson([SAMPLES], { ref: 'main', rounds: 3 }))

  assert.deepEqual({ ref, rounds }, { ref: 'main', rounds: 3 })
  assert.deepEqual(Object.keys(figures['a send']), Object.keys(buildSample(1)))
  assert.equal(figures['a send'].cpu.ratio, 0.5)
})
