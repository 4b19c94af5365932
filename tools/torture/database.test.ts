import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { signalServer } from './database.ts'

test('a server that runs gets the signal, and one that has ended or never started is left alone', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-signal-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'postmaster.pid')
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const ended = once(server, 'exit')
  signalServer(file, 'SIGKILL')
  await writeFile(file, '')
  signalServer(file, 'SIGKILL')
  await writeFile(file, `${server.pid}\n/data\n`)

  signalServer(file, 'SIGKILL')
  const [, signal] = await ended

  assert.equal(signal, 'SIGKILL')
  assert.doesNotThrow(() => signalServer(file, 'SIGKILL'))
})
