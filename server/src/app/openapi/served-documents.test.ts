import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'

const ASSETS = ['/connect/assets/connect.js', '/assets/page.css', '/assets/inter.woff2']

test('the description of the API needs no credential', { rules: ['api.openapi-and-docs-are-public'] }, async (t) => {
  const { anonymous } = await startHub(t)

  for (const path of ['/openapi.json', '/openapi-console.json']) {
    const { status, headers, body } = await anonymous.get(path)
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'], path)
    assert.equal(body.openapi, '3.1.0', path)
  }
})

test('a browser keeps the description and the assets of pages, and gets 304 while they are the same', async (t) => {
  const { anonymous } = await startHub(t)

  for (const path of ['/openapi.json', ...ASSETS]) {
    const first = await anonymous.get(path)
    const etag = first.headers.get('etag') ?? ''
    const again = await anonymous.get(path, { headers: { 'if-none-match': `"other", W/${etag}` } })
    const changed = await anonymous.get(path, { headers: { 'if-none-match': '"other"' } })

    assert.deepEqual(
      [first.status, first.headers.get('cache-control'), again.status, again.text, changed.text],
      [200, 'public, no-cache', 304, '', first.text],
      path,
    )
    assert.equal(again.headers.get('content-security-policy'), first.headers.get('content-security-policy'), path)
  }
})
