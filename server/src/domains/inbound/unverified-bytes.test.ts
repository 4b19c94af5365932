import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRawConnection } from '../../../test/raw-http.ts'
import { buildCallback, buildMessagesEntry, startInbound } from './test/fixture.ts'
import { buildText } from './test/samples.ts'

const KIB = 1024

/** A callback of 900 KiB of which only the first bytes arrive. */
async function holdCallback(url: string, path: string, bytes: number) {
  const connection = await openRawConnection(url)
  connection.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${900 * KIB}\r\n\r\n`)
  connection.write(Buffer.alloc(bytes))
  return connection
}

// A signature can be checked only over the whole body, so any client can make the hub hold one.
test('beyond the budget for unverified bytes the largest callback is 503, and others are read', {
  rules: ['callback.unverified-bytes-are-bounded'],
}, async (t) => {
  const fixture = await startInbound(t, { capacity: { unverifiedBytesMax: 1024 * KIB } })
  const { url } = fixture.hub
  const callback = buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.small')] }))

  const largest = await holdCallback(url, '/hooks/upstream', 400 * KIB)
  const held = [
    await holdCallback(url, '/hooks/billing', 350 * KIB),
    await holdCallback(url, '/hooks/upstream', 350 * KIB),
  ]
  const refused = await largest.answer()
  const small = await fixture.post(callback)
  const health = await fixture.hub.anonymous.get('/health')
  for (const connection of held) connection.hangUp()
  const postLarge = () => fixture.post(JSON.stringify({ ...callback, padding: 'x'.repeat(900 * KIB) }))
  let large = await postLarge()
  // The hub has yet to notice who hung up.
  while (large.status === 503) large = await postLarge()

  assert.deepEqual([refused.status, refused.body.error.code], [503, 'OVERLOADED'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]/)
  assert.deepEqual([small.status, health.status, large.status], [200, 200, 200])
})
