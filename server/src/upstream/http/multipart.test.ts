import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createMultipartForm } from './multipart.ts'

test('a connection that destroys the form closes the file, and is not taken for a failure of the file', async () => {
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield Buffer.from('a')
    } finally {
      isClosed = true
    }
  }
  const form = createMultipartForm({}, { file: endless(), filename: 'a', mimeType: 'text/plain' }, () => {})
  form.body.on('error', () => {}).resume()
  await once(form.body, 'data')

  const closed = new Promise((resolve) => form.body.once('close', resolve))
  form.body.destroy(new Error('The connection broke'))
  await closed

  assert.equal(form.fileFailure(), undefined)
  assert.equal(form.isComplete(), false)
  assert.ok(isClosed)
})
