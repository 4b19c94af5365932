import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { spool } from './spool.ts'

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A place where nobody else keeps anything. */
async function emptyDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-test-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

test('what was spooled has a length, and can be read as often as it is wanted', async () => {
  await using kept = await spool(chunksOf('one', 'two', 'three'))

  assert.equal(kept.bytes, 11)
  assert.equal(await textOf(kept.content()), 'onetwothree')
  assert.equal(await textOf(kept.content()), 'onetwothree')
})

test('a long stream comes back as it went in, whatever its pieces were', async () => {
  const pieces = Array.from({ length: 200 }, (_, index) => String(index).repeat(index * 100))

  await using kept = await spool(chunksOf(...pieces))

  assert.equal(await textOf(kept.content()), pieces.join(''))
})

test('a spool has no name, from before its first byte on', async (t) => {
  const directory = await emptyDirectory(t)
  const names: string[][] = []
  async function* watching() {
    yield Buffer.from('secret')
    names.push(await readdir(directory))
  }

  await using kept = await spool(watching(), directory)

  assert.equal(kept.bytes, 6)
  assert.deepEqual([...names, await readdir(directory)], [[], []])
})

test('a stream that breaks off breaks the spool off, and leaves no file', async (t) => {
  const directory = await emptyDirectory(t)
  async function* broken() {
    yield Buffer.from('one')
    throw new Error('it broke')
  }

  await assert.rejects(spool(broken(), directory), /it broke/)
  assert.deepEqual(await readdir(directory), [])
})
