import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { signUp } from '../demo/people.ts'
import { packAll, root } from './packages.ts'

/**
 * `npm run test:packages`: packs, installs each package in an empty folder of its own, and goes from there to the first
 * verified webhook, on each version of Node that a package promises. It needs the registry of npm.
 */
const COMMAND_MS_MAX = 300_000
const START_MS_MAX = 60_000
const HERE = import.meta.dirname
/** Beside the one of the repository. */
const OTHER_NODES = { 20: '20.20.2', 22: '22.23.3' }
const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error']
const CHECKERS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']
/** A package of two module formats, one of ES modules, and two that are programs. */
const TYPED = { sdk: ['--profile', 'node16'], simulator: ['--profile', 'esm-only'] }
const PERSON = { name: 'Ana', email: 'ana@example.com', password: 'correct horse 4711', organization_name: 'Acme' }
const SCOPES = ['channels:read', 'channels:write', 'messages:read', 'messages:send', 'webhooks:read', 'webhooks:write']
const SIMULATOR_TEST = `
import assert from 'node:assert/strict'
import { createSimulator } from '@hubline/simulator'
const simulator = createSimulator({ clock: 'manual' })
const url = await simulator.listen()
const { numbers: [number], access_token } = await simulator.control('POST', '/accounts', { numbers: [{ registered: true }] })
const headers = { authorization: 'Bearer ' + access_token }
assert.equal((await fetch(url + '/v25.0/' + number.phone_number_id, { headers })).status, 200)
assert.match(await (await fetch(url + '/_sim/assets/page.css')).text(), /{/)
await simulator.close()
`

const execute = promisify(execFile)
const directory = await mkdtemp(join(tmpdir(), 'hubline-packages-'))
const started: ChildProcess[] = []
try {
  // If root runs this, the database's account must be able to enter.
  await chmod(directory, 0o755)
  await tryPackages()
} catch (err) {
  const { message, stdout = '', stderr = '' } = err as Error & { stdout?: string; stderr?: string }
  console.error(`FAILED: ${message}\n${stdout}${stderr}`)
  process.exitCode = 1
} finally {
  for (const child of started) await stop(child)
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
const { userCPUTime, systemCPUTime } = process.resourceUsage()
console.log(`\nThis program itself took ${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)} s of CPU.`)

async function tryPackages(): Promise<void> {
  const tarballs = join(directory, 'packages')
  const packages = await timed('pack', async () => packAll(tarballs))
  const nodes: Record<string, string> = { 24: process.execPath }
  await timed('fetch other versions of Node', async () => {
    for (const [major, version] of Object.entries(OTHER_NODES)) {
      nodes[major] = await provideNode(version)
    }
  })
  const projects: Record<string, string> = {}
  for (const { workspace, file } of packages) {
    projects[workspace] = await timed(`install ${file}`, () => installAlone(workspace, [join(tarballs, file)]))
  }
  const { sdk = '', cli = '', simulator = '', server = '' } = projects
  await copyFile(join(HERE, 'client-program.mjs'), join(sdk, 'program.mjs'))
  await writeFile(join(simulator, 'use.mjs'), SIMULATOR_TEST)

  for (const { on, clients } of [
    { on: '24', clients: ['24'] },
    { on: '22', clients: ['22', '20'] },
  ]) {
    const hub = await timed(`start the hub on Node ${on}`, () => startHub(join(server, `run-${on}`), nodes[on] ?? ''))
    for (const client of clients) {
      await timed(`from the sign-up to an answered webhook on Node ${client}`, () =>
        useClients(hub, { node: nodes[client] ?? '', sdk, cli, client }),
      )
    }
    await stop(hub.child)
  }
  for (const [major, node] of Object.entries(nodes)) {
    await timed(`the simulator on Node ${major}`, () => run(node, ['use.mjs'], { cwd: simulator }))
  }
  await timed('publint and attw', () => checkForms(tarballs, packages))
}

/** Fetched once: it has 45 MB. */
async function provideNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(root, 'node_modules/.cache', `${name}-${version}`)
  const node = join(folder, 'node_modules', name, 'bin/node')
  if (!existsSync(node)) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', ...QUIETLY, `${name}@${version}`], { cwd: folder })
  }
  return node
}

/** An empty folder with the package, and the packages that it names. */
async function installAlone(name: string, packages: string[]): Promise<string> {
  const project = join(directory, name)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}')
  await run('npm', ['install', ...QUIETLY, ...packages], { cwd: project })
  return project
}

/** In an empty folder, as a person types it. */
async function startHub(folder: string, node: string) {
  await mkdir(folder)
  const [port, simulatorPort, receiverPort] = [await freePort(), await freePort(), await freePort()]
  const variables = {
    PORT: String(port),
    SIMULATOR_PORT: String(simulatorPort),
    WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1:${receiverPort}`,
    DRAIN_SECONDS: '0',
    PATH: `${dirname(node)}:${process.env.PATH}`,
  }
  const child = spawn('../node_modules/.bin/hubline-server', { cwd: folder, env: variables })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const deadline = Date.now() + START_MS_MAX
  while (!output.includes('Hubline is ready')) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The hub does not start: ${output}`)
    await sleep(50)
  }
  if (!output.includes('../node_modules/.bin/hubline-server create-organization')) throw new Error(output)
  const url = `http://localhost:${port}`
  const page = await fetch(url).then((answer) => answer.text())
  if (!/<script[^>]* src="\/assets\//.test(page)) throw new Error(`The dashboard is not there: ${page}`)
  const documents = await readdir(join(folder, '../node_modules/@hubline/server/files/dashboard/dist/assets'))
  if (!documents.some((name) => name.startsWith('docs-messages-en-'))) throw new Error('The guides are not there.')
  return { child, url, simulatorUrl: `http://127.0.0.1:${simulatorPort}`, receiverPort }
}

type Clients = { node: string; sdk: string; cli: string; client: string }

async function useClients(hub: Awaited<ReturnType<typeof startHub>>, { node, sdk, cli, client }: Clients) {
  const HUBLINE_KEY = await createKey(hub.url, `${client}-${PERSON.email}`)
  const env = { HUBLINE_URL: hub.url, HUBLINE_KEY, HUBLINE_CONFIG_DIR: join(directory, `config-${client}`) }
  const created = await run(node, ['program.mjs', 'create'], { cwd: sdk, env })
  await signUp(hub, JSON.parse(created).connect_url, AbortSignal.timeout(COMMAND_MS_MAX))

  const receiver = spawn(node, ['program.mjs', 'receive', String(hub.receiverPort)], { cwd: sdk, env })
  started.push(receiver)
  let output = ''
  for (const stream of [receiver.stdout, receiver.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const waitFor = async (text: string) => {
    const deadline = Date.now() + START_MS_MAX
    while (!output.includes(text)) {
      if (receiver.exitCode || Date.now() > deadline) throw new Error(`The program did not print ${text}: ${output}`)
      await sleep(50)
    }
  }
  await waitFor('listening')
  const hubline = (...args: string[]) => run(node, ['node_modules/.bin/hubline', ...args], { cwd: cli, env })
  await hubline('trigger', 'message.received', 'Shop', '--simulator', hub.simulatorUrl)
  await waitFor('verified message.received, answered with')
  const messages = await hubline('messages', 'Shop')
  if (!messages.includes('Olá')) throw new Error(`The CLI does not show the answer: ${messages}`)
}

/** Signs a person up as the dashboard does, and creates a key in the new organization. */
async function createKey(url: string, email: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url }
  const signedUp = await fetch(`${url}/console/sign-up`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...PERSON, email }),
  })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const created = await fetch(`${url}/api/v1/api-keys`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ name: 'first', scopes: SCOPES }),
  })
  const answer = (await created.json()) as { data: { secret: string } }
  if (created.status !== 201) throw new Error(`${signedUp.status}, then ${JSON.stringify(answer)}`)
  return answer.data.secret
}

/** Two checkers of packages find no fault in the files that a person would publish. */
async function checkForms(tarballs: string, packages: { workspace: string; file: string }[]): Promise<void> {
  const checkers = await installAlone('checkers', CHECKERS)
  for (const { workspace, file } of packages) {
    const path = join(tarballs, file)
    await run('node_modules/.bin/publint', ['run', path, '--strict'], { cwd: checkers })
    const profile = TYPED[workspace as keyof typeof TYPED]
    if (profile) await run('node_modules/.bin/attw', [path, ...profile], { cwd: checkers })
  }
}

async function run(command: string, args: string[], { cwd, env = {} }: { cwd: string; env?: Record<string, string> }) {
  // Without what the npm that runs this sets, such as its prefix.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const variables = { ...Object.fromEntries(inherited), ...env }
  const { stdout } = await execute(command, args, { cwd, env: variables, timeout: COMMAND_MS_MAX })
  return stdout
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  return result
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}
