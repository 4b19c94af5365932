import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, newDirectory } from '../journeys/processes.ts'
import { findProgram, isListening } from './programs.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
const ROLLING_RESTART = join(DOCS, 'operations.md')
const CELLS = join(DOCS, 'guides/cells.md')
const BLOCK = /^```haproxy\n(.*?)^```$/ms

/** Starts a HAProxy with the configuration of the operator's documentation, in front of two hubs. */
export async function startHaproxy(t: TestContext, [one, two]: [number, number]) {
  const [port, statePort] = [await freePort(), await freePort()]
  const documented = await readConfiguration(ROLLING_RESTART, port)
  const directory = await newDirectory(t, 'hubline-haproxy-')
  await run(t, directory, port, [
    documented.replace('10.0.0.1:8080', `127.0.0.1:${one}`).replace('10.0.0.2:8080', `127.0.0.1:${two}`),
    'frontend state',
    `    bind 127.0.0.1:${statePort}`,
    '    http-request return status 200 if { nbsrv(hubs) eq 2 }',
    '    http-request return status 503',
  ])
  return {
    url: `http://127.0.0.1:${port}`,

    /** Resolves when HAProxy sends requests to both hubs. */
    async untilBothAreUp(): Promise<void> {
      while ((await fetch(`http://127.0.0.1:${statePort}`)).status !== 200) await delay(20)
    },
  }
}

type Edge = {
  /** The port of each backend of the guide. */
  ports: { br01: number; us02: number; callbacks: number }
  /** The SHA-256 of tokens that have no mark, and their cells. */
  exceptions: Record<string, string>
}

/** Starts a HAProxy with the configuration of the guide to cells, in front of two cells and the process of their callbacks. */
export async function startEdge(t: TestContext, { ports, exceptions }: Edge) {
  const port = await freePort()
  const directory = await newDirectory(t, 'hubline-edge-')
  const maps = { exceptions, marks: { br01: 'br01', us02: 'us02' }, hosts: {} as Record<string, string> }
  for (const backend of Object.keys(ports)) maps.hosts[`${backend}.example.com`] = backend
  for (const [name, lines] of Object.entries(maps)) {
    const text = Object.entries(lines).map(([key, backend]) => `${key} ${backend}\n`)
    await writeFile(join(directory, `${name}.map`), text.join(''))
  }
  const documented = await readConfiguration(CELLS, port)
  await run(t, directory, port, [
    documented
      .replaceAll('/etc/haproxy/', `${directory}/`)
      .replace('10.0.1.1:8080', `127.0.0.1:${ports.br01}`)
      .replace('10.0.2.1:8080', `127.0.0.1:${ports.us02}`)
      .replace('10.0.0.9:8080', `127.0.0.1:${ports.callbacks}`)
      .replace(/^ +server two .*$/gm, '')
      // For tests of what no hub has.
      .replace(/^ +default_backend .*$/m, (line) => `    http-response set-header x-test-backend %b\n${line}`),
  ])
  return { url: `http://127.0.0.1:${port}` }
}

/** The program of the guide for Envoy. */
export async function readEnvoyProgram(): Promise<string> {
  const [, indent = '', program] =
    /inline_string: \|\n( +)(.*?)\n {2}- name:/s.exec(await readFile(CELLS, 'utf8')) ?? []
  if (!program) throw new Error('The guide has no program for Envoy')
  return program.replaceAll(`\n${indent}`, '\n')
}

/** The first configuration of a document, for a port of this machine. */
async function readConfiguration(document: string, port: number): Promise<string> {
  const [, documented] = BLOCK.exec(await readFile(document, 'utf8')) ?? []
  if (!documented) throw new Error(`${document} has no configuration of HAProxy`)
  return (
    documented
      .replace(/bind .*/, `bind 127.0.0.1:${port}`)
      // As many as the limit of open files allows here.
      .replace('maxconn 20000', 'maxconn 1000')
      // On a busy machine a hub needs longer for an answer, and is not to be taken for one that stops.
      .replace('timeout connect 2s', 'timeout connect 10s')
      .replace('timeout check 3s', 'timeout check 10s')
      .replace('fall 2', 'fall 5')
  )
}

/** Resolves when HAProxy listens. */
async function run(t: TestContext, directory: string, port: number, configuration: string[]): Promise<void> {
  const file = join(directory, 'haproxy.cfg')
  await writeFile(file, `${configuration.join('\n')}\n`)
  const program = await findProgram('haproxy', process.env.HAPROXY_PATH)
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${log}`)
  }
}
