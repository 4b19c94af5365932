import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { expectFailure, expectValue } from '../test/results.ts'
import { json, openUpstream, PHONE_ID, TOKEN } from '../test/servers.ts'

/** More than the connections for calls. */
const MANY = 150
/** If files shared the connections of calls, the test would wait forever. */
const LIMITED = { timeout: 20_000 }

/** An upstream that answers calls at once, and never finishes a file in either direction. */
async function startStuck(t: TestContext) {
  const stuck: ServerResponse[] = []
  const { promise: full, resolve: fill } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    if (request.url === `/v25.0/${PHONE_ID}`) return json(response, { id: PHONE_ID })
    if (request.method === 'GET') response.writeHead(200, { 'content-length': '1000' }).write('begun')
    request.resume()
    if (stuck.push(response) === MANY) fill()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, full, stuck }
}

test('many stalled uploads do not delay other calls', LIMITED, async (t) => {
  const { url, full, stuck } = await startStuck(t)
  const upstream = openUpstream(t, url)
  async function* endless() {
    yield Buffer.from('%PDF-')
    await new Promise(() => {})
  }
  const part = { filename: 'a.pdf', mimeType: 'application/pdf' }

  const uploads = Array.from({ length: MANY }, () =>
    upstream.media.upload(TOKEN, PHONE_ID, { ...part, file: endless() }),
  )
  await full
  const call = await upstream.passthrough.call(TOKEN, { name: 'test', method: 'GET', to: [PHONE_ID] })
  for (const response of stuck) response.destroy()
  const outcomes = await Promise.all(uploads)

  assert.equal(expectValue(call).body.id, PHONE_ID)
  for (const outcome of outcomes) assert.equal(expectFailure(outcome).kind, 'unavailable')
})

test('many stalled downloads do not delay other calls', LIMITED, async (t) => {
  const { url, full } = await startStuck(t)
  const upstream = openUpstream(t, url)
  const gone = new AbortController()
  const options = { range: undefined, signal: gone.signal }

  const opening = Promise.all(
    Array.from({ length: MANY }, () => upstream.downloads.open(TOKEN, `${url}/file`, options)),
  )
  await full
  const call = await upstream.passthrough.call(TOKEN, { name: 'test', method: 'GET', to: [PHONE_ID] })
  const opened = (await opening).map(expectValue)

  assert.equal(expectValue(call).body.id, PHONE_ID)
  for (const download of opened) {
    assert.ok(download.kind === 'file')
    download.content.on('error', () => undefined).destroy()
  }
})
