import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHubProgram } from '../../demo/hub-program.ts'
import { findFreePorts } from '../../ports.ts'
import { type Block, readBlocks } from '../blocks.ts'
import { findClaim } from '../claims.ts'
import { followDocument } from '../reader.ts'

const ROOT = join(import.meta.dirname, '../../..')
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
/** Minutes, where other tests run at the same time. */
const TIMEOUT_MS = 590_000

test('every command of every guide works, one after the other', { timeout: TIMEOUT_MS }, async (t) => {
  const [receiver = 0, printer = 0] = await findFreePorts(2)
  const directory = await mkdtemp(join(tmpdir(), 'hubline-guides-'))
  await chmod(directory, 0o755)
  const allowed = `localhost:${printer}`
  const program = await startHubProgram(directory, { allowed, signal: AbortSignal.timeout(TIMEOUT_MS) })
  t.after(async () => {
    await program[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })
  const run = readBlocks(ROOT).filter((block) => findClaim(block)?.includes('journeys/commands.test.ts'))

  for (const [file, blocks] of Map.groupBy(run, (block) => block.file)) {
    await t.test(file, async (t) => {
      // Below node_modules, where a program finds the SDK as it does in a clone.
      const cache = join(ROOT, 'node_modules/.cache')
      await mkdir(cache, { recursive: true })
      const cwd = await mkdtemp(join(cache, 'guide-'))
      t.after(() => rm(cwd, { recursive: true, force: true, maxRetries: 5 }))
      await writeFile(join(cwd, 'photo.jpg'), JPEG)

      const ports = { receiver, printer }
      const { problems, output } = await followDocument(blocks, { program, cwd, ports, signal: t.signal })

      assert.deepEqual(problems, [])
      for (const expected of listExpected(blocks)) assert.ok(output.includes(expected), `${expected}: ${output}`)
    })
  }
})

/** Blocks without a language are what a command before them prints. */
function listExpected(blocks: Block[]): string[] {
  return blocks.filter(({ language }) => language === '').map(({ text }) => text.trim())
}
