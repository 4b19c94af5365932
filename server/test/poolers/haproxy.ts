import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, newDirectory } from '../journeys/processes.ts'
import { findProgram, isListening } from './programs.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/operations.md')
const BLOCK = /^```haproxy\n(.*?)^```$/ms

/** Starts a HAProxy with the configuration of the operator's documentation, in front of two hubs. */
export async function startHaproxy(t: TestContext, hubPorts: [number, number]) {
  const [port, statePort] = [await freePort(), await freePort()]
  const file = join(await newDirectory(t, 'hubline-haproxy-'), 'haproxy.cfg')
  await writeFile(file, await writeConfiguration(port, statePort, hubPorts))
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
  return {
    url: `http://127.0.0.1:${port}`,

    /** Resolves when HAProxy sends requests to both hubs. */
    async untilBothAreUp(): Promise<void> {
      while ((await fetch(`http://127.0.0.1:${statePort}`)).status !== 200) await delay(20)
    },
  }
}

async function writeConfiguration(port: number, statePort: number, [one, two]: [number, number]): Promise<string> {
  const [, documented] = BLOCK.exec(await readFile(DOCUMENT, 'utf8')) ?? []
  if (!documented) throw new Error(`${DOCUMENT} has no configuration of HAProxy`)
  const adapted = documented
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replace('10.0.0.1:8080', `127.0.0.1:${one}`)
    .replace('10.0.0.2:8080', `127.0.0.1:${two}`)
    // On a busy machine a hub needs longer for an answer, and is not to be taken for one that stops.
    .replace('timeout connect 2s', 'timeout connect 10s')
    .replace('timeout check 3s', 'timeout check 10s')
    .replace('fall 2', 'fall 5')
  return `${adapted}
frontend state
    bind 127.0.0.1:${statePort}
    http-request return status 200 if { nbsrv(hubs) eq 2 }
    http-request return status 503
`
}
