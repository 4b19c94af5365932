import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openPool } from '../../server/src/kernel/db/pool.ts'
import { findFreePorts } from '../ports.ts'
import { type Database, signalServer } from '../torture/database.ts'
import { type Daemon, findAccount, findPrograms, startDaemon } from './programs.ts'

const GUIDE = join(import.meta.dirname, '../../docs/guides/high-availability.md')
const START_MS_MAX = 180_000
const POLL_MS = 200
const PASSWORD = 'change-this-3'

export type Server = {
  name: string
  port: number
  apiPort: number
  dataDir: string
  start: () => void
  patroni: Daemon
}
export type Cluster = Awaited<ReturnType<typeof openCluster>>
type Place = { port: number; apiPort: number }

/** Three members of etcd, two servers with Patroni, and later HAProxy, with the files of the guide. */
export async function openCluster(directory: string) {
  await using opened = new AsyncDisposableStack()
  const programs = findPrograms()
  const account = findAccount()
  const documented = await readGuide()
  const members = await startEtcd()
  const [port1 = 0, port2 = 0, apiPort1 = 0, apiPort2 = 0] = await findFreePorts(4)
  const servers = [
    await startServer('one', { port: port1, apiPort: apiPort1 }),
    await startServer('two', { port: port2, apiPort: apiPort2 }),
  ]
  // A run that is interrupted disposes of nothing.
  const killServers = () => servers.forEach(killPostgres)
  process.once('exit', killServers)
  opened.defer(() => void process.off('exit', killServers))
  await waitFor('the cluster has a primary and a synchronous standby', async () => (await readRoles()).isSafe)

  async function startEtcd(): Promise<string[]> {
    const clients = await findFreePorts(3)
    const peers = await findFreePorts(3)
    const toUrl = (port = 0) => `http://127.0.0.1:${port}`
    const initial = peers.map((peer, n) => `etcd${n}=${toUrl(peer)}`).join(',')
    for (const [n, client] of clients.entries()) {
      const options = {
        name: `etcd${n}`,
        'data-dir': join(directory, `etcd${n}`),
        'listen-client-urls': toUrl(client),
        'advertise-client-urls': toUrl(client),
        'listen-peer-urls': toUrl(peers[n]),
        'initial-advertise-peer-urls': toUrl(peers[n]),
        'initial-cluster': initial,
      }
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
      const etcd = startDaemon(programs.etcd, args, { log: join(directory, `etcd${n}.log`) })
      opened.defer(() => etcd.kill())
    }
    return clients.map((client) => `127.0.0.1:${client}`)
  }

  async function startServer(name: string, { port, apiPort }: Place): Promise<Server> {
    const home = join(directory, name)
    const dataDir = join(home, 'data')
    await mkdir(home)
    const file = join(home, 'patroni.yml')
    const adapted = documented.patroni
      .replace('name: one', `name: ${name}`)
      .replaceAll('10.0.0.1:8008', `127.0.0.1:${apiPort}`)
      .replaceAll('10.0.0.1:5432', `127.0.0.1:${port}`)
      .replace('10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379', members.join(','))
      .replace('/var/lib/postgresql/hubline', dataDir)
      .replace('/usr/lib/postgresql/15/bin', programs.bin)
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      // The server's socket: the usual directory belongs to another server of the machine.
      .replace('wal_log_hints:', `unix_socket_directories: ${home}\n        wal_log_hints:`)
    await writeFile(file, adapted)
    if (account) for (const path of [home, file]) await chown(path, account.uid, account.gid)
    const start = () =>
      startDaemon(programs.patroni, [file], { account, home, log: join(directory, `patroni-${name}.log`) })
    const server: Server = {
      name,
      port,
      apiPort,
      dataDir,
      patroni: start(),
      start() {
        server.patroni = start()
      },
    }
    opened.defer(() => killMachine(server))
    return server
  }

  /** Asks each server for its role. */
  async function readRoles(): Promise<{ primary?: Server; standby?: Server; isSafe: boolean }> {
    const answers = await Promise.all(
      servers.map(async ({ apiPort }) => {
        const answer = await fetch(`http://127.0.0.1:${apiPort}/patroni`, { signal: AbortSignal.timeout(2000) }).catch(
          () => undefined,
        )
        return (await answer?.json().catch(() => undefined)) as { role?: string; sync_standby?: boolean } | undefined
      }),
    )
    const primary = servers[answers.findIndex((answer) => answer?.role === 'master' || answer?.role === 'primary')]
    const standby = servers[answers.findIndex((answer) => answer?.role === 'replica')]
    const isSafe = primary !== undefined && answers.some((answer) => answer?.sync_standby === true)
    return { ...(primary && { primary }), ...(standby && { standby }), isSafe }
  }

  async function waitUntilSafe(): Promise<Required<Awaited<ReturnType<typeof readRoles>>>> {
    let roles: Awaited<ReturnType<typeof readRoles>> = { isSafe: false }
    await waitFor('a synchronous standby follows', async () => {
      roles = await readRoles()
      return roles.isSafe && roles.primary !== undefined && roles.standby !== undefined
    })
    return roles as Required<typeof roles>
  }

  /** HAProxy of the guide, in front of the servers and of two hubs. */
  async function startHaproxy(hubPorts: [number, number], databasePort: number): Promise<{ url: string }> {
    const [port = 0] = await findFreePorts(1)
    const file = join(directory, 'haproxy.cfg')
    const [one, two] = servers as [Server, Server]
    const adapted = documented.haproxy
      .replace('bind 10.0.0.3:5000', `bind 127.0.0.1:${databasePort}`)
      .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
      .replace('check port 8008', 'check')
      .replace('10.0.0.1:5432', `127.0.0.1:${one.port} port ${one.apiPort}`)
      .replace('10.0.0.2:5432', `127.0.0.1:${two.port} port ${two.apiPort}`)
      .replace('10.0.0.1:8080', `127.0.0.1:${hubPorts[0]}`)
      .replace('10.0.0.2:8080', `127.0.0.1:${hubPorts[1]}`)
    await writeFile(file, adapted)
    const haproxy = startDaemon(programs.haproxy, ['-db', '-f', file], { log: join(directory, 'haproxy.log') })
    kept.defer(() => haproxy.kill())
    return { url: `http://127.0.0.1:${port}` }
  }

  async function createDatabase(): Promise<void> {
    const { primary } = await waitUntilSafe()
    const admin = openPool(`postgres://postgres:change-this-1@127.0.0.1:${primary.port}/postgres`, {
      max: 1,
      name: 'ha',
    })
    await admin.unsafe(`create role hubline login password '${PASSWORD}'`)
    await admin.unsafe('create database hubline owner hubline')
    await admin.end()
    const hubline = openPool(toUrl(primary.port), { max: 1, name: 'ha' })
    await hubline.unsafe('create table ha_probe as select 0 as n')
    await hubline.end()
  }

  const kept = opened.move()
  return {
    servers,
    readRoles,
    waitUntilSafe,
    startHaproxy,
    createDatabase,
    killPostgres,
    killMachine,

    /** As `patronictl switchover`. */
    async switchOver(): Promise<void> {
      const { primary, standby } = await waitUntilSafe()
      const body = JSON.stringify({ leader: primary.name, candidate: standby.name })
      const answer = await fetch(`http://127.0.0.1:${primary.apiPort}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`The switchover was answered ${answer.status}: ${await answer.text()}`)
    },

    toUrl,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const toUrl = (port: number) => `postgres://hubline:${PASSWORD}@127.0.0.1:${port}/hubline`

/** By way of HAProxy, as the hubs of the guide reach it. */
export function toDatabase(url: string): Database {
  const { hostname, port } = new URL(url)
  return {
    url,
    target: { host: hostname, port: Number(port) },
    kill() {},
    async [Symbol.asyncDispose]() {},
  }
}

/** The server alone: Patroni goes on, and decides what follows. */
function killPostgres({ dataDir }: Server): void {
  signalServer(join(dataDir, 'postmaster.pid'), 'SIGKILL')
}

/** The server and Patroni, as where a machine loses its power. */
async function killMachine(server: Server): Promise<void> {
  await server.patroni.kill()
  killPostgres(server)
}

async function readGuide(): Promise<{ patroni: string; haproxy: string }> {
  const text = await readFile(GUIDE, 'utf8')
  const find = (language: string) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? ''
  return { patroni: find('yaml'), haproxy: find('haproxy') }
}

export async function waitFor(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_MS_MAX
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`Not within ${START_MS_MAX / 1000} s: ${what}`)
    await delay(POLL_MS)
  }
}
