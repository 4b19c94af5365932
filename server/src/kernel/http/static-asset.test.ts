import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { serveStaticAsset } from './static-asset.ts'

test('an asset that could not be read is read again for the next request, and only once after it was read', async () => {
  const app = fastify()
  let reads = 0
  serveStaticAsset(app, '/asset.css', {
    type: 'text/css',
    async load() {
      if (++reads === 1) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      return 'body {}'
    },
  })

  const responses = [await app.inject('/asset.css'), await app.inject('/asset.css'), await app.inject('/asset.css')]

  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    [500, 200, 200],
  )
  assert.equal(responses[2]?.body, 'body {}')
  assert.equal(reads, 2)
})
