import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { error, json, startServer } from './server.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const TSC = join(ROOT, 'node_modules/.bin/tsc')
/** The Node of the machine, which runs npm. The repository's own is newer than what the package promises. */
const HOST_NODE = process.env.npm_node_execpath ?? 'node'

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
}

const USE = `
async function use({ Hub, HubApiError, signWebhook, verifyWebhook }, url) {
  const hub = new Hub({ url, credential: 'hub_pk_test' })
  const { message } = await hub.messages.send('c-1', { to: '5511987654321', type: 'text', text: { body: 'x' } })
  async function* chunks() {
    yield new Uint8Array(3)
  }
  const { media } = await hub.media.upload('c-1', { file: { stream: chunks() } })
  const items = await hub.messages.list('c-1').toArray()
  const body = '{"event":"webhook.test"}'
  const { event } = await verifyWebhook('whsec_x', await signWebhook('whsec_x', body), body)
  const refused = await hub.channels.get('c-1').catch((err) => err)
  console.log(JSON.stringify([message.id, media.id, items, event, refused instanceof HubApiError && refused.code]))
}
`
const TYPED = `
const hub = new Hub({ url: 'https://hub.example.com', credential: 'hub_pk_x' })
export async function use(body: string, headers: Headers): Promise<string> {
  for await (const message of hub.messages.list('c-1', { limit: 10 })) message.status satisfies string
  const { message } = await hub.messages.send('c-1', { to: '5511987654321', type: 'text', text: { body: 'x' } })
  // @ts-expect-error A text message has a text.
  await hub.messages.send('c-1', { to: '5511987654321', type: 'text' })
  const event = await verifyWebhook('whsec_x', headers, body)
  return event.event === 'message.received' ? event.data.message.id : message.upstream_message_id
}
`

test('the package is installed without a network and used by import, by require and by TypeScript', {
  rules: ['sdk.has-no-dependencies'],
}, async (t) => {
  const project = await installPackage(t)

  await t.test('it holds what is published and nothing else', { rules: ['sdk.console-is-not-published'] }, async () => {
    const installed = join(project, 'node_modules/@hubline/sdk')
    const files = await readdir(installed, { recursive: true })

    assert.deepEqual((await readdir(installed)).sort(), ['LICENSE', 'README.md', 'cjs', 'esm', 'package.json'])
    assert.deepEqual(
      files.filter((file) => /\.test\.|(?<!\.d)\.ts$|console/.test(file)),
      [],
    )
    assert.deepEqual(await readdir(join(project, 'node_modules/@hubline')), ['sdk'])
  })

  await writeFile(
    join(project, 'use.mjs'),
    `import * as sdk from '@hubline/sdk'\n${USE}\nawait use(sdk, process.argv[2])`,
  )
  await writeFile(join(project, 'use.cjs'), `${USE}\nuse(require('@hubline/sdk'), process.argv[2])`)
  for (const args of [['use.mjs'], ['use.cjs'], ['--no-experimental-require-module', 'use.cjs']]) {
    await t.test(`node ${args.join(' ')}`, async () => {
      const { url } = await startServer(t, [
        json(202, { data: { message: { id: 'm-1' } } }),
        json(201, { data: { media: { id: '7' } } }),
        json(200, { data: { messages: [1], next_cursor: 'next' } }),
        json(200, { data: { messages: [2], next_cursor: null } }),
        error(404, 'NOT_FOUND'),
      ])

      const { stdout } = await run(HOST_NODE, [...args, url], { cwd: project })

      assert.deepEqual(JSON.parse(stdout), ['m-1', '7', [1, 2], 'webhook.test', 'NOT_FOUND'])
    })
  }

  await t.test('its types are complete for modules and for CommonJS', async () => {
    await writeFile(join(project, 'a.mts'), `import { Hub, verifyWebhook } from '@hubline/sdk'\n${TYPED}`)
    await writeFile(join(project, 'b.cts'), `import { Hub, verifyWebhook } from '@hubline/sdk'\n${TYPED}`)
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))

    await run(TSC, ['-p', project]).catch((err) => assert.fail(err.stdout))
  })
})

/** An empty project with the packed package in it. */
async function installPackage(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-sdk-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const [dist, project] = [join(directory, 'dist'), join(directory, 'project')]
  await run(process.execPath, [join(ROOT, 'sdk/build.ts'), dist])
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true}')
  const { stdout } = await runNpm(['pack', dist, '--silent', '--pack-destination', directory], directory)
  await runNpm(['install', '--offline', '--no-audit', '--no-fund', join(directory, stdout.trim())], project)
  return project
}

/** Without the settings of the npm that runs the tests. */
function runNpm(args: string[], cwd: string) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  return run('npm', args, { cwd, env })
}
