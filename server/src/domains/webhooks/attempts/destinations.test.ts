import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOST, openSender, startReceiver } from './test/receivers.ts'

test('a name that resolves to an internal address is refused without a connection', async (t) => {
  const { port, sockets } = await startReceiver(t)

  for (const addresses of [['10.0.0.1'], ['127.0.0.1', '10.0.0.1'], ['8.8.8.8', '::1'], ['169.254.169.254']]) {
    const { send } = openSender(t, { port, zone: { [HOST]: addresses } })
    const { ok, errorCode, httpStatus, address, requestHeaders } = await send()
    assert.deepEqual([ok, errorCode, httpStatus, address], [false, 'DESTINATION_NOT_ALLOWED', null, null])
    assert.deepEqual(requestHeaders, {})
  }
  assert.equal(sockets.size, 0)
})

test('an internal address in the URL is refused in every notation without a connection', async (t) => {
  const { port, sockets } = await startReceiver(t)
  const { send } = openSender(t, { port: 1 })
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:7f00:1]', 'localhost', '0']

  for (const host of hosts) {
    const { errorCode } = await send({ url: `http://${host}:${port}/` })
    assert.equal(errorCode, 'DESTINATION_NOT_ALLOWED', host)
  }
  assert.equal(sockets.size, 0)
})

test('http and ports other than 443 are refused unless the operator allows them', async (t) => {
  const { send } = openSender(t, { port: 1, zone: { [HOST]: ['8.8.8.8'] } })

  for (const url of [`http://${HOST}/`, `https://${HOST}:8443/`, `https://u:p@${HOST}/`, 'no URL']) {
    assert.equal((await send({ url })).errorCode, 'DESTINATION_NOT_ALLOWED', url)
  }
})

test('an allowed address in the URL is dialed', async (t) => {
  const { port, received } = await startReceiver(t)
  const { send } = openSender(t, { port, zone: {} })

  const { ok, address } = await send({ url: `http://0x7f000001:${port}/a` })

  assert.deepEqual([ok, address, received[0]?.headers.host], [true, '127.0.0.1', `127.0.0.1:${port}`])
})

test('a name that moves to an internal address is refused despite an idle connection', {
  rules: ['destination.is-checked-before-every-delivery'],
}, async (t) => {
  const { port, sockets, received } = await startReceiver(t)
  const { send, zone, clock } = openSender(t, { port })

  const before = await send()
  zone[HOST] = ['10.0.0.1']
  clock.ms += 1000
  const after = await send()
  zone[HOST] = ['127.0.0.1']
  clock.ms += 1000
  const back = await send()

  assert.deepEqual([before.ok, after.errorCode, back.ok], [true, 'DESTINATION_NOT_ALLOWED', true])
  assert.deepEqual([received.length, sockets.size], [2, 1])
})

// Not every system has the new address; the test only needs the old one to stay unused.
test('a name that moves to another public address is dialed there, and the idle connection is not reused', async (t) => {
  const { port, received } = await startReceiver(t)
  const { send, zone, clock } = openSender(t, { port, deadlineMs: 1000 })

  const before = await send()
  zone[HOST] = ['127.0.0.2']
  clock.ms += 1000
  const after = await send()

  assert.deepEqual([before.address, after.address], ['127.0.0.1', '127.0.0.2'])
  assert.equal(received.length, 1)
})

test('an idle connection is reused while its address is among those of the name, in any order', async (t) => {
  const { port, sockets } = await startReceiver(t)
  const { send, zone, clock } = openSender(t, { port })

  await send()
  for (const addresses of [
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.3'],
  ]) {
    zone[HOST] = addresses
    clock.ms += 1000
    assert.equal((await send()).ok, true)
  }

  assert.equal(sockets.size, 1)
})

test('an attempt dials the next address when one refuses the connection', async (t) => {
  const { port } = await startReceiver(t)
  const { send } = openSender(t, { port, zone: { [HOST]: ['127.0.0.2', '127.0.0.1'] } })

  const { ok, address } = await send()

  assert.deepEqual([ok, address], [true, '127.0.0.1'])
})

test('a name that does not resolve is the failure DNS_FAILED', {
  rules: ['destination.unresolved-name-fails-the-delivery'],
}, async (t) => {
  const { send } = openSender(t, { port: 1, zone: {} })

  const { ok, errorCode, address, timings } = await send({ url: `https://${HOST}/` })

  assert.deepEqual([ok, errorCode, address], [false, 'DNS_FAILED', null])
  assert.deepEqual([timings.connectMs, timings.firstByteMs], [null, null])
})

test('the deadline covers a name server that never answers', {
  rules: ['delivery.ten-seconds-to-answer'],
}, async (t) => {
  const zone = { [HOST]: new Promise<string[]>(() => undefined) }
  const { send } = openSender(t, { port: 1, zone, dnsMs: 500, deadlineMs: 100 })

  const { errorCode, timings } = await send({ url: `https://${HOST}/` })

  assert.deepEqual([errorCode, timings.dnsMs], ['TIMEOUT', null])
})

test('a name server that exceeds its timeout is the failure DNS_FAILED', async (t) => {
  const zone = { [HOST]: new Promise<string[]>(() => undefined) }
  const { send } = openSender(t, { port: 1, zone, dnsMs: 50 })

  assert.equal((await send({ url: `https://${HOST}/` })).errorCode, 'DNS_FAILED')
})

test('a DNS answer after the deadline opens no connection', async (t) => {
  const { port, sockets } = await startReceiver(t)
  const answer = Promise.withResolvers<string[]>()
  const late = openSender(t, { port, zone: { [HOST]: answer.promise }, deadlineMs: 100 })
  const other = openSender(t, { port })

  const { errorCode } = await late.send()
  answer.resolve(['127.0.0.1'])
  const { ok } = await other.send()

  assert.deepEqual([errorCode, ok, sockets.size], ['TIMEOUT', true, 1])
})
