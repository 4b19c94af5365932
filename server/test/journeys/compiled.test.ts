import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildServer } from '../../build.ts'
import { toDatabaseUrl, withServer } from '../database.ts'
import { freePort, newDirectory } from './processes.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache')
const PATHS = [
  '/connect/unknown',
  '/connect/assets/connect.js',
  '/assets/page.css',
  '/assets/inter.woff2',
  '/openapi.json',
]
const FORMS = [
  { form: 'beside its packages', withPackages: false },
  { form: 'with its packages', withPackages: true },
]

for (const { form, withPackages } of FORMS) {
  test(`the hub compiled ${form} migrates an empty database, and serves its pages and its reference`, async (t) => {
    const programs = await compile(t, withPackages)
    const DATABASE_URL = await createEmptyDatabase(t)
    const env = {
      DATABASE_URL,
      DATA_DIR: await newDirectory(t),
      SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    }
    const PORT = String(await freePort())
    const hub = launch(t, join(programs, 'main.js'), [], { ...env, PORT, SIMULATOR_PORT: '0', DRAIN_SECONDS: '0' })
    const url = `http://127.0.0.1:${PORT}`
    while (!(await isReady(url))) assert.equal(hub.child.exitCode, null, hub.output())

    for (const path of PATHS) {
      const answer = await fetch(url + path)
      assert.equal(answer.status, 200, path)
      assert.notEqual(await answer.text(), '', path)
    }
    const admin = launch(t, join(programs, 'admin.js'), ['create-organization', '--name', 'Acme'], env)
    assert.equal(await admin.ended, 0, admin.output())
    const authorization = `Bearer ${JSON.parse(admin.output()).api_key}`
    const keys = await fetch(`${url}/api/v1/api-keys`, { headers: { authorization } })
    assert.equal(keys.status, 200)
    hub.child.kill('SIGTERM')
    assert.equal(await hub.ended, 0, hub.output())
  })
}

test('each file of the compiled hub has a source map', async (t) => {
  const files = await readdir(await compile(t, false))

  const programs = files.filter((file) => file.endsWith('.js'))
  assert.ok(programs.includes('main.js') && programs.includes('admin.js'))
  for (const file of programs) assert.ok(files.includes(`${file}.map`), file)
})

/** Inside the repository, where Node finds the packages. */
async function compile(t: TestContext, withPackages: boolean): Promise<string> {
  await mkdir(CACHE, { recursive: true })
  const directory = await mkdtemp(join(CACHE, 'server-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  await buildServer(directory, { withPackages })
  return directory
}

async function createEmptyDatabase(t: TestContext): Promise<string> {
  const name = `hubline_compiled_${process.pid}_${Date.now()}`
  await withServer((admin) => admin.unsafe(`create database ${name}`))
  t.after(() => withServer((admin) => admin.unsafe(`drop database ${name} with (force)`)))
  return toDatabaseUrl(name)
}

function launch(t: TestContext, program: string, args: string[], env: Record<string, string>) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, ...args], { cwd: tmpdir(), env: { PATH, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, output: () => output }
}

async function isReady(url: string): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  const answer = await fetch(`${url}/ready`).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}
