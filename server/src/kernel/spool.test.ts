import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { AppError } from './errors.ts'
import { createSpooler } from './spool.ts'

const BYTES_MAX = 8 * 2 ** 20
const LIMITS = { bytesMax: BYTES_MAX, ownerBytesMax: BYTES_MAX }
const spool = createSpooler(LIMITS)

async function* toChunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A directory that only this test uses. */
async function createDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-test-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

test('a spool has a length and can be read more than once', async () => {
  await using kept = await spool('acme', toChunks('one', 'two', 'three'))

  assert.equal(kept.bytes, 11)
  assert.equal(await readText(kept.content()), 'onetwothree')
  assert.equal(await readText(kept.content()), 'onetwothree')
})

test('a long stream of chunks of any size is read back unchanged', async () => {
  const pieces = Array.from({ length: 200 }, (_, index) => String(index).repeat(index * 100))

  await using kept = await spool('acme', toChunks(...pieces))

  assert.equal(await readText(kept.content()), pieces.join(''))
})

test('the file of a spool has no name while it is written and read', async (t) => {
  const directory = await createDirectory(t)
  const names: string[][] = []
  async function* watching() {
    yield Buffer.from('secret')
    names.push(await readdir(directory))
  }

  await using kept = await createSpooler(LIMITS, directory)('acme', watching())

  assert.equal(kept.bytes, 6)
  assert.deepEqual([...names, await readdir(directory)], [[], []])
})

test('a stream that fails rejects the spool and leaves no file', async (t) => {
  const directory = await createDirectory(t)
  async function* broken() {
    yield Buffer.from('one')
    throw new Error('it broke')
  }

  await assert.rejects(createSpooler(LIMITS, directory)('acme', broken()), /it broke/)
  assert.deepEqual(await readdir(directory), [])
})

test('files that would exceed the total are refused with OVERLOADED, and an ended or failed file frees its part', async () => {
  const limited = createSpooler({ bytesMax: 10, ownerBytesMax: 20 })
  const first = await limited('acme', toChunks('123', '456'))

  await assert.rejects(
    limited('acme', toChunks('1', '2', '345')),
    (err) => err instanceof AppError && err.code === 'OVERLOADED',
  )
  await using fits = await limited('acme', toChunks('1234'))
  await first[Symbol.asyncDispose]()
  await using next = await limited('acme', toChunks('123456'))

  assert.deepEqual([fits.bytes, next.bytes], [4, 6])
})

test('an owner at its limit is refused with RATE_LIMITED, and another one has room', async () => {
  const limited = createSpooler({ bytesMax: 10, ownerBytesMax: 6 })
  const first = await limited('acme', toChunks('12345'))

  await assert.rejects(limited('acme', toChunks('12')), { code: 'RATE_LIMITED', retryAfterSeconds: 5 })
  await using other = await limited('other', toChunks('12345'))
  await first[Symbol.asyncDispose]()
  await using next = await limited('acme', toChunks('12345'))

  assert.deepEqual([other.bytes, next.bytes], [5, 5])
})
