import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeOnce } from './write-once.ts'

test('the first text of a file stays, readable only by its owner, and nothing is beside it', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'hubline-once-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'data', 'settings')

  writeOnce(path, 'first')
  writeOnce(path, 'second')

  assert.equal(readFileSync(path, 'utf8'), 'first')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(directory, 'data')), ['settings'])
})
