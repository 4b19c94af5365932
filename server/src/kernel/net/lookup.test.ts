import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { createLookup } from './lookup.ts'
import { createResolver } from './resolver.ts'

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }
const RCODES = { none: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** The answer of the name server: addresses as bytes, a failure, or nothing. */
type Answer = number[][] | keyof typeof RCODES | 'silence'
type Zone = Record<string, { A?: Answer; AAAA?: Answer }>

const V4 = [192, 0, 2, 1]
const V6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]

test('resolves a name to the addresses of both families', async (t) => {
  const { lookup } = await startNameServer(t, { 'a.example': { A: [V4, [192, 0, 2, 2]], AAAA: [V6] } })

  assert.deepEqual(await lookup({ name: 'a.example', via: 'dns' }), [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
})

test('one family is enough if the other has no address or fails', async (t) => {
  const { lookup } = await startNameServer(t, {
    'four.example': { A: [V4] },
    'six.example': { AAAA: [V6] },
    'broken.example': { A: [V4], AAAA: 'SERVFAIL' },
  })

  assert.deepEqual(await lookup({ name: 'four.example', via: 'dns' }), [{ address: '192.0.2.1', family: 4 }])
  assert.deepEqual(await lookup({ name: 'six.example', via: 'dns' }), [{ address: '2001:db8::1', family: 6 }])
  assert.deepEqual(await lookup({ name: 'broken.example', via: 'dns' }), [{ address: '192.0.2.1', family: 4 }])
})

test('a name server that never answers for one family delays the result only by the timeout of that family', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { lookup } = await startNameServer(
    t,
    { 'a.example': { A: [V4], AAAA: 'silence' }, 'b.example': { A: [V4] } },
    1500,
  )

  const pending = lookup({ name: 'a.example', via: 'dns' })
  // Answers come in the order of the queries, so the one for A has arrived after this.
  await lookup({ name: 'b.example', via: 'dns' })
  t.mock.timers.tick(1500)

  // c-ares itself gives up much later than in the next iteration of the event loop.
  assert.deepEqual(await Promise.race([pending, nextIteration('still waiting')]), [{ address: '192.0.2.1', family: 4 }])
})

test('a failed lookup rejects with the code of its cause', async (t) => {
  const { lookup } = await startNameServer(t, {
    'empty.example': {},
    'broken.example': { A: 'SERVFAIL', AAAA: 'SERVFAIL' },
    'half.example': { AAAA: 'SERVFAIL' },
  })

  await assert.rejects(lookup({ name: 'gone.example', via: 'dns' }), { code: 'ENOTFOUND' })
  await assert.rejects(lookup({ name: 'empty.example', via: 'dns' }), { code: 'ENODATA' })
  await assert.rejects(lookup({ name: 'broken.example', via: 'dns' }), { code: 'ESERVFAIL' })
  await assert.rejects(lookup({ name: 'half.example', via: 'dns' }), { code: 'ESERVFAIL' })
})

// The cache of c-ares would hide a rebinding for as long as the time to live.
test('the lookup caches no answer', async (t) => {
  const zone: Zone = { 'a.example': { A: [V4] } }
  const { lookup } = await startNameServer(t, zone)

  await lookup({ name: 'a.example', via: 'dns' })
  zone['a.example'] = { A: [[192, 0, 2, 99]] }

  assert.deepEqual(await lookup({ name: 'a.example', via: 'dns' }), [{ address: '192.0.2.99', family: 4 }])
})

test('a DNS lookup uses neither search domains nor /etc/hosts', {
  rules: ['destination.trusted-names-resolve-locally'],
}, async (t) => {
  const { lookup, asked } = await startNameServer(t, {})

  await assert.rejects(lookup({ name: 'localhost', via: 'dns' }), { code: 'ENOTFOUND' })

  assert.deepEqual([...new Set(asked)].sort(), ['A localhost', 'AAAA localhost'])
})

test('a system lookup uses /etc/hosts', { rules: ['destination.trusted-names-resolve-locally'] }, async () => {
  const lookup = createLookup({ familyTimeoutMs: 60_000 })

  const found = await lookup({ name: 'localhost', via: 'system' })

  assert.ok(found.every(({ address }) => ['127.0.0.1', '::1'].includes(address)))
  assert.ok(found.length > 0)
})

test("a resolver uses the machine's lookup by default", async () => {
  const { resolve } = createResolver({ timeoutMs: 60_000 })

  const resolution = await resolve({ name: 'localhost', via: 'system' })

  assert.equal(resolution.ok, true)
})

/** A name server on loopback that answers from `zone`, and with NXDOMAIN for other names. */
async function startNameServer(t: TestContext, zone: Zone, familyTimeoutMs = 60_000) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${type} ${name}`)
    const records = zone[name]
    const answer = records ? (records[type] ?? []) : 'NXDOMAIN'
    if (answer !== 'silence') socket.send(reply(query.subarray(0, end), answer), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  const lookup = createLookup({ familyTimeoutMs, servers: [`127.0.0.1:${socket.address().port}`] })
  return { lookup, asked }
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = TYPES[query.readUInt16BE(at + 1)]
  assert.ok(type)
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

/** The question again with its answers, each with an hour to live. */
function reply(question: Buffer, answer: Exclude<Answer, 'silence'>): Buffer {
  const addresses = typeof answer === 'string' ? [] : answer
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | RCODES[typeof answer === 'string' ? answer : 'none'], 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt16BE(0, 10)
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, address.length === 4 ? 1 : 28, 0, 1, 0, 0, 0x0e, 0x10, 0, address.length, ...address]),
  )
  return Buffer.concat([header, question.subarray(12), ...records])
}
