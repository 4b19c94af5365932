import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { startHubWithUpstream } from '../../server/test/hub-with-upstream.ts'
import { newConfigDirectory } from './program.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
/** The Node of the machine, which runs npm. The repository's own is newer than what the package promises. */
const HOST_NODE = process.env.npm_node_execpath ?? 'node'

test('the packed program runs on the Node of the machine: help, a send and the tools', {
  rules: ['cli.runs-on-node-20'],
}, async (t) => {
  const program = await installPackage(t)
  const { version } = JSON.parse(await readFile(join(ROOT, 'cli/package.json'), 'utf8'))
  const { hub, connect } = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const acme = await hub.organization()
  const { id } = await connect(acme)
  const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)
  const env = { PATH: process.env.PATH ?? '', HUBLINE_CONFIG_DIR, HUBLINE_URL: hub.url, HUBLINE_KEY: acme.key }
  const hubline = async (...args: string[]) => (await run(HOST_NODE, [program, ...args], { env })).stdout

  assert.equal(await hubline('--version'), `${version}\n`)
  assert.match(await hubline('help'), /Usage: hubline <command>/)
  assert.match(await hubline('send', id, '5511987654321', 'Olá'), /^accepted [0-9a-f-]{36}\n$/)
  assert.match(await hubline('messages', id), /→ 5511987654321/)

  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: HOST_NODE, args: [program, 'mcp'], env }))
  t.after(() => client.close())
  const { content } = await client.callTool({ name: 'list_channels', arguments: {} })
  assert.match(JSON.stringify(content), new RegExp(id))
})

/** A folder with the package as it is published, and nothing else of ours; its dependencies are found in the repository. */
async function installPackage(t: TestContext): Promise<string> {
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const project = await mkdtemp(join(cache, 'cli-package-'))
  t.after(() => rm(project, { recursive: true, force: true }))
  const [dist, installed] = [join(project, 'dist'), join(project, 'node_modules/hubline')]
  await run(process.execPath, [join(ROOT, 'cli/build.ts'), dist])
  const { stdout } = await run('npm', ['pack', dist, '--silent', '--pack-destination', project], { cwd: project })
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(project, stdout.trim()), '--strip-components=1', '-C', installed])
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(dependencies), ['@modelcontextprotocol/sdk', 'uqr', 'zod'])
  assert.deepEqual((await readdir(installed)).sort(), ['LICENSE', 'README.md', 'bin', 'lib', 'package.json'])
  return join(installed, 'bin/hubline.js')
}
