import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPayloadCache } from './payload-cache.ts'

const MEBIBYTE = 1024 * 1024
const now = () => new Date('2026-01-01T00:00:00Z')

/** A small part of 64 KiB, as a socket or the pool of Node hands it out. */
function takePart(text: string): Buffer {
  const piece = Buffer.allocUnsafeSlow(65_536)
  return piece.subarray(0, piece.write(text))
}

test('the cache holds little more memory than the bytes that it may keep, also if each was part of a larger piece', () => {
  const payloads = createPayloadCache({ bytesMax: 2 * MEBIBYTE, now })
  const ids = Array.from({ length: 4000 }, (_, index) => `event ${index}`)
  for (const id of ids) payloads.put(id, { body: takePart(id.padEnd(1000, '.')), compatBody: takePart(id) })

  const kept = ids.flatMap((id) => payloads.get(id) ?? [])
  const memory = new Set(kept.flatMap(({ body, compatBody }) => [body.buffer, compatBody?.buffer ?? body.buffer]))
  const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0)
  assert.ok(kept.length > 1000, `${kept.length} payloads`)
  assert.ok(bytes < 3 * MEBIBYTE, `${bytes} bytes`)
})

test('a payload comes back with its bytes, large or small', () => {
  const payloads = createPayloadCache({ bytesMax: 8 * MEBIBYTE, now })
  const bodies = [1, 1000, 65_536, 65_537, 300_000, MEBIBYTE].map((length) => Buffer.alloc(length, String(length)))
  for (const body of bodies) payloads.put(String(body.length), { body, compatBody: null })

  for (const body of bodies) assert.deepEqual(payloads.get(String(body.length)), { body, compatBody: null })
})
