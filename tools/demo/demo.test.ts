import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'

const STEPS = [
  'Start a hub',
  'Create an organization',
  'Create a channel',
  'Connect a number',
  'Create a webhook',
  'The customer writes',
  'Answer',
  'Statuses',
  'The receiver fails',
  'The retry',
  'A replay',
  'End',
]

test('the demo runs from sign-up to replay without a terminal, and leaves nothing behind', async (t) => {
  const directory = await newTemporaryDirectory(t)

  const { code, output } = await runDemo(t, directory)

  assert.equal(code, 0, output)
  assert.deepEqual(
    [...output.matchAll(/^\d+\. (.+)$/gm)].map(([, title]) => title),
    STEPS,
  )
  assert.match(output, /The signature is right/)
  assert.match(output, /Attempt 1: HTTP_500 at /)
  assert.match(output, /Attempt \d+: succeeded at /)
  assert.match(output, /The receiver has it again, verified: "And cake\?"/)
  assert.ok(!output.includes('\u001b'), 'there are colors on a pipe')
  assert.deepEqual(await findDemoDirectories(directory), [])
  const [, url = ''] = /Hub +(http\S+)/.exec(output) ?? []
  await assert.rejects(fetch(`${url}/health`), 'the hub still runs')
})

test('a demo that cannot start says in which step it failed, and exits with 1', async (t) => {
  const { code, output } = await runDemo(t, join(await newTemporaryDirectory(t), 'missing'))

  assert.equal(code, 1)
  assert.match(output, /The demo failed in step 1, "Start a hub"\.\nThere is no temporary directory: ENOENT/)
})

for (const step of ['Start a hub', 'Create a webhook']) {
  test(`Ctrl-C in the step "${step}" ends the demo with 130, and leaves no process behind`, async (t) => {
    const directory = await newTemporaryDirectory(t)
    const demo = startDemo(t, directory)
    await demo.prints(`. ${step}\n`)

    // The signal reaches each process of the group, as from a terminal.
    process.kill(-(demo.child.pid ?? 0), 'SIGINT')
    const code = await demo.ended

    assert.equal(code, 130, demo.output())
    assert.match(demo.output(), /Stopped\. The hub, its database and its directory are gone\./)
    assert.deepEqual(await findDemoDirectories(directory), [])
    assert.deepEqual(await findProcesses(directory), [])
  })
}

/** The command lines of processes that name the directory: the hub's are given it by the environment, the database's as an argument. */
async function findProcesses(directory: string): Promise<string[]> {
  const found = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
        const [command, environment] = [await read('cmdline'), await read('environ')]
        return (command + environment).includes(directory) ? [command.replaceAll('\0', ' ')] : []
      }),
  )
  return found.flat()
}

async function newTemporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-demo-test-'))
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  await chmod(directory, 0o755)
  return directory
}

async function findDemoDirectories(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.startsWith('hubline-demo-'))
}

async function runDemo(t: TestContext, directory: string): Promise<{ code: number | null; output: string }> {
  const { ended, output } = startDemo(t, directory)
  return { code: await ended, output: output() }
}

function startDemo(t: TestContext, TMPDIR: string) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'demo.ts')], {
    env: { PATH, NODE_COMPILE_CACHE, TMPDIR },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // SIGTERM, so that it ends what it has started.
  t.after(() => child.kill('SIGTERM'))
  let output = ''
  let check = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      check()
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    ended,
    output: () => output,
    prints: (text: string) =>
      new Promise<void>((resolve) => {
        check = () => output.includes(text) && resolve()
        check()
      }),
  }
}
