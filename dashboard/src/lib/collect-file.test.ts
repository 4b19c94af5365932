import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { collectFile, type Progress } from './collect-file.ts'

function respond(chunks: readonly Buffer<ArrayBuffer>[], headers: Record<string, string> = {}): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  return new Response(body, { headers })
}

test('a file has all bytes in their order, and its progress counts bytes and lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: fc.constantFrom('a', '\n', 'é') })), async (chunks) => {
      const seen: Progress[] = []
      const response = respond(
        chunks.map((chunk) => Buffer.from(chunk)),
        { 'content-type': 'text/csv' },
      )
      const whole = chunks.join('')

      const file = await collectFile(response, (progress) => seen.push(progress))

      assert.equal(await file.text(), whole)
      assert.equal(file.type, 'text/csv')
      const last = { lines: whole.split('\n').length - 1, bytes: Buffer.byteLength(whole) }
      assert.deepEqual(seen.at(-1) ?? { lines: 0, bytes: 0 }, last)
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => a.bytes - b.bytes),
      )
    }),
  )
})

test('a file of several parts is whole', async () => {
  const chunk = Buffer.alloc(3_000_000, 'x')
  const response = respond([chunk, chunk, chunk, Buffer.from('end\n')])

  const file = await collectFile(response, () => undefined)

  assert.equal(file.size, 9_000_004)
  assert.equal(await file.slice(-4).text(), 'end\n')
})

test('a response without a body is an empty file', async () => {
  assert.equal((await collectFile(new Response(null), () => undefined)).size, 0)
})
