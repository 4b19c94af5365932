import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findTestFiles, planTests } from './test-files.ts'

const SIZES: Record<string, number> = { 'a.test.ts': 50, 'b.test.ts': 30, 'c.test.ts': 30, 'd.test.ts': 5 }

test('files are spread over the processes by size, each file once', () => {
  const { shared, isolated } = planTests(Object.keys(SIZES), 2, (file) => SIZES[file] ?? 0)

  assert.deepEqual(shared, [
    ['a.test.ts', 'd.test.ts'],
    ['b.test.ts', 'c.test.ts'],
  ])
  assert.deepEqual(isolated, [])
})

test('journeys, tests of memory, of poolers and of the embedded server have a process of their own', () => {
  const files = [
    'server/test/journeys/a.test.ts',
    'server/src/x/memory.test.ts',
    'server/src/db/embedded/b.test.ts',
    'server/test/poolers/d.pooler.ts',
  ]

  assert.deepEqual(
    planTests(files, 2, () => 1),
    { shared: [], isolated: files },
  )
})

test('fewer files than processes leave no process without a file', () => {
  assert.deepEqual(planTests(['a.test.ts'], 2, () => 1).shared, [['a.test.ts']])
})

test('every other test file of the repository is found without a pattern', () => {
  const files = findTestFiles([])

  assert.ok(files.includes('tools/test-files.test.ts'))
  assert.ok(files.length > 150, `${files.length} files were found`)
  assert.ok(files.every((file) => file.endsWith('.test.ts') && !file.includes('node_modules')))
})

test('the long tests are a run of their own, and each pattern finds some', () => {
  const usual = findTestFiles([])
  const long = findTestFiles([], { isLong: true })

  assert.ok(long.every((file) => !usual.includes(file)))
  for (const part of ['guides/journeys/', 'demo/', 'memory.test.ts', 'embedded/'])
    assert.ok(
      long.some((file) => file.includes(part)),
      part,
    )
  assert.deepEqual(findTestFiles([long[0] ?? '']), [long[0]])
})

test('a file that shares its process has no hook outside of its tests, which would run for those of other files', () => {
  const { shared } = planTests(findTestFiles([]), 1)
  const hooked = shared.flat().filter((file) => /^(?:before|after)(?:Each)?\(/m.test(readFileSync(file, 'utf8')))

  assert.deepEqual(hooked, [])
})
