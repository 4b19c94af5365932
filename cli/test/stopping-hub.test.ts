import assert from 'node:assert/strict'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { startReceiver } from '../../server/test/receiver.ts'
import { newConfigDirectory, start } from './program.ts'

const ID = '019a0000-0000-7000-8000-000000000001'
const JSON_TYPE = { 'content-type': 'application/json' }
/** The answer of a hub that finishes its open requests and takes no more. */
const STOPPING = {
  status: 503,
  body: { error: { code: 'NOT_READY', message: 'The hub is stopping. Try again.', request_id: ID, details: null } },
}
const UNKNOWN = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'Listener not found.', request_id: ID, details: null } },
}

/** A hub that answers by a script, and the settings of a program that calls it. */
async function startScriptedHub(t: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: url, HUBLINE_KEY: 'hub_pk_x' }
}

function toMessage(text: string) {
  const created_at = '2026-01-31T12:00:00.000Z'
  return {
    id: text,
    direction: 'inbound',
    type: 'text',
    status: 'received',
    from: '1',
    content: { body: text },
    created_at,
  }
}

test('messages --tail goes on after a hub has stopped and started again', {
  rules: ['cli.following-survives-a-restart'],
}, async (t) => {
  const page = (text: string) => ({ status: 200, body: { data: { messages: [toMessage(text)], next_cursor: null } } })
  // The SDK repeats a request as often.
  const answers = [page('before the stop'), STOPPING, STOPPING, STOPPING]
  const env = await startScriptedHub(t, (request, response) => {
    request.resume()
    const { status, body } = answers.shift() ?? page('after the start')
    response.writeHead(status, { ...JSON_TYPE, 'retry-after': '0' }).end(JSON.stringify(body))
  })

  const program = start(t, ['messages', ID, '--tail'], env)

  assert.match(await program.prints(/after the start/), /before the stop/)
})

test('listen goes on after a hub has stopped before it could create another listener', {
  rules: ['cli.following-survives-a-restart'],
}, async (t) => {
  const created = { status: 201, body: { data: { listener: { id: ID }, secret: 'whsec_x' } } }
  const creations = [created, STOPPING]
  let streams = 0
  const env = await startScriptedHub(t, (request, response) => {
    const { url } = request.resume()
    if (url?.endsWith('/stream') && ++streams > 1) {
      return void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"type":"heartbeat"}\n')
    }
    const { status, body } = url?.endsWith('/stream') ? UNKNOWN : (creations.shift() ?? created)
    response.writeHead(status, JSON_TYPE).end(JSON.stringify(body))
  })

  const program = start(t, ['listen', '--forward-to', 'http://127.0.0.1:1'], env)

  assert.match(await program.prints(/Connected/), /does not know the listener/)
})

test('listen posts a delivery once that a killed hub sends again, and acknowledges it again', {
  rules: ['cli.listen-repeats-only-unacknowledged'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const toLine = (id: string) => `${JSON.stringify({ type: 'delivery', id, event: 'x', headers: {}, body: '{}' })}\n`
  const acknowledged: string[] = []
  const again = Promise.withResolvers<void>()
  let stream: ServerResponse | undefined
  const env = await startScriptedHub(t, async (request, response) => {
    if (request.url?.endsWith('/stream')) {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write(stream ? toLine('d-1') + toLine('d-2') : toLine('d-1'))
      stream = response
      return
    }
    const body = JSON.parse(await text(request))
    const data = { listener: { id: ID }, secret: 'whsec_x', acknowledged: 1 }
    response.writeHead(201, JSON_TYPE).end(JSON.stringify({ data }))
    if (!request.url?.endsWith('/acknowledge')) return
    acknowledged.push(...body.delivery_ids)
    // The hub is killed after its answer, and forgets what it wrote last.
    if (acknowledged.length === 1) response.once('finish', () => stream?.destroy())
    if (acknowledged.length === 3) again.resolve()
  })

  const program = start(t, ['listen', '--forward-to', receiver.url], env)
  await again.promise

  assert.deepEqual(acknowledged.toSorted(), ['d-1', 'd-1', 'd-2'], program.stdout())
  assert.equal(receiver.received.length, 2)
})
