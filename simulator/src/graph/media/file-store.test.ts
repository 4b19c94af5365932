import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createFileStore } from './file-store.ts'

test('a failed file rejects for its reader and does not end the process without one', async (t) => {
  const unhandled: unknown[] = []
  const note = (err: unknown) => unhandled.push(err)
  process.on('unhandledRejection', note)
  t.after(() => process.off('unhandledRejection', note))
  const files = createFileStore()
  const [given, awaited] = [files.open(), files.open()]

  files.close()
  given.stream.end('x')
  awaited.stream.end('x')

  await assert.rejects(awaited.stored, /ENOENT/)
  await setImmediate()
  assert.deepEqual(unhandled, [])
})
