import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../server/test/poolers/programs.ts'
import { type HubProcess, startServer } from '../pipeline/hub-process.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guides/cells.md')
const MARKS = ['br01', 'us02'] as const

/** HAProxy with the configuration of the guide, in front of two cells. */
export async function startEdge([br01, us02]: readonly [HubProcess, HubProcess]): Promise<HubProcess> {
  const [, documented] = /^```haproxy\n(.*?)^```$/ms.exec(await readFile(GUIDE, 'utf8')) ?? []
  if (!documented) throw new Error(`${GUIDE} has no configuration of HAProxy`)
  const directory = await mkdtemp(join(tmpdir(), 'hubline-bench-edge-'))
  await chmod(directory, 0o755)
  const write = (name: string, lines: string[]) => writeFile(join(directory, name), `${lines.join('\n')}\n`)
  await write(
    'marks.map',
    MARKS.map((mark) => `${mark} ${mark}`),
  )
  await write(
    'hosts.map',
    MARKS.map((mark) => `${toHost(mark)} ${mark}`),
  )
  await write('exceptions.map', [])
  await write('haproxy.cfg', [
    documented
      .replace(/bind .*/, `bind "127.0.0.1:\${PORT}"`)
      .replaceAll('/etc/haproxy/', `${directory}/`)
      .replace('maxconn 20000', 'maxconn 1000')
      .replace('10.0.1.1:8080', new URL(br01.url).host)
      .replace('10.0.2.1:8080', new URL(us02.url).host)
      // All cores are busy, and a hub that answers late is not to be taken for one that stops.
      .replace('timeout connect 2s', 'timeout connect 60s')
      .replace('timeout check 3s', 'timeout check 60s')
      // No callback for all cells is sent here.
      .replace('10.0.0.9:8080', new URL(br01.url).host)
      .replace(/^ +server two .*$/gm, ''),
  ])
  const command = await findProgram('haproxy', process.env.HAPROXY_PATH)
  const edge = await startServer((port) => ({
    command,
    args: ['-db', '-f', join(directory, 'haproxy.cfg')],
    env: { ...process.env, PORT: String(port) },
    readyPath: '/health',
  }))
  return {
    ...edge,
    async [Symbol.asyncDispose]() {
      await edge[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

/** The host of a cell, by which HAProxy leads callbacks to it. */
export function toHost(mark: string): string {
  return `${mark}.example.com`
}
