import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { openEmbeddedPostgres } from './embedded-postgres.ts'
import { withRestoreLock } from './restore-lock.ts'
import { createFixture } from './test/fixture.ts'

const HOLDER = `
  import { withRestoreLock } from '${import.meta.resolve('./restore-lock.ts')}'
  setInterval(() => {}, 1000)
  await withRestoreLock(process.argv[1], () => {
    console.log('locked')
    return new Promise(() => {})
  })`

test('no other process restores or opens a database that is being restored, until that restore ends or is killed', async (t) => {
  const { directory, killAtEnd } = createFixture(t)
  const dataDir = await directory()
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', HOLDER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  killAtEnd(holder)
  await once(holder.stdout, 'data')
  const underWay = new RegExp(`^Error: A restore into ${dataDir} is under way: wait for its end\\.$`)

  await assert.rejects(openEmbeddedPostgres({ dataDir, durable: false }), underWay)
  await assert.rejects(
    withRestoreLock(dataDir, () => Promise.resolve()),
    underWay,
  )
  holder.kill('SIGKILL')
  await once(holder, 'exit')

  assert.equal(await withRestoreLock(dataDir, () => Promise.resolve('restored')), 'restored')
  assert.deepEqual(await readdir(dataDir), [])
})
