import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { isServerRunning, type Launch, launchServer, stopServer } from './postmaster.ts'
import { openSession, type Session } from './session.ts'

// Replaying the write-ahead log after a crash of the machine can take long.
const START_LIMIT_MS = 120_000
const POLL_MS = 50
const RECONNECT_WAIT_MS_MAX = 10_000

// A kill comes from outside and does not mean that the database is broken. Out of memory, the kernel kills every start.
const KILLS_MAX = 3

// The server's messages when another server runs, stops or starts on the same data.
const LOST_RACE =
  /lock file ".*" (already exists|is empty)|(create|open|read) lock file|pre-existing shared memory|received \w+ shutdown request/

type StartOptions = { durable: boolean; log: (line: string) => void }

type ServerSession = {
  cluster: Cluster
  startOptions: StartOptions
  session: Session
  isHub: boolean
  reconnecting: Promise<void>
  closing: AbortController
}

/** Holds this process's session with the server, and opens it again whenever it is lost, until the process closes it. */
export async function keepServerSession(cluster: Cluster, startOptions: StartOptions) {
  const session = await connectOrStart(cluster, startOptions)
  const closing = new AbortController()
  const serverSession: ServerSession = {
    cluster,
    startOptions,
    session,
    isHub: false,
    reconnecting: Promise.resolve(),
    closing,
  }
  let closed: Promise<void> | undefined
  watch(serverSession)
  return {
    options: session.options,
    async claimHub(): Promise<boolean> {
      serverSession.isHub = await serverSession.session.claimHub()
      return serverSession.isHub
    },
    close(): Promise<void> {
      closed ??= closeSession(serverSession)
      return closed
    },
  }
}

function watch(serverSession: ServerSession): void {
  serverSession.session.lost.then(() => {
    if (!serverSession.closing.signal.aborted) serverSession.reconnecting = reconnect(serverSession)
  })
}

async function reconnect(serverSession: ServerSession): Promise<void> {
  const { cluster, startOptions } = serverSession
  const { signal } = serverSession.closing
  startOptions.log('The connection to PostgreSQL was lost.')
  for (let waitMs = 100; !signal.aborted; waitMs = Math.min(waitMs * 2, RECONNECT_WAIT_MS_MAX)) {
    try {
      await serverSession.session.end()
      serverSession.session = await connectOrStart(cluster, startOptions)
      const isAlone = !serverSession.isHub || (await serverSession.session.claimHub())
      if (!isAlone) startOptions.log('Another hub has started on the same data directory.')
      return watch(serverSession)
    } catch (err) {
      startOptions.log(toMessage(err))
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}

async function closeSession(serverSession: ServerSession): Promise<void> {
  serverSession.closing.abort()
  await serverSession.reconnecting
  try {
    if (await serverSession.session.releaseUse()) await stopServer(serverSession.cluster)
  } catch (err) {
    serverSession.startOptions.log(`PostgreSQL could not be stopped: ${toMessage(err)}`)
  }
  await serverSession.session.end()
}

/**
 * Connects to the server, and starts it if none runs. Other processes may start or
 * stop it at the same time: after a start that lost that race, or while a server is
 * stopping, it tries again.
 */
async function connectOrStart(cluster: Cluster, { durable, log }: StartOptions): Promise<Session> {
  const deadline = Date.now() + START_LIMIT_MS
  let start: Launch | undefined
  let kills = 0
  while (Date.now() < deadline) {
    const session = await openSession(cluster)
    if (session) return session

    const isOver = !start || start.ended !== undefined
    if (isOver && !(await isServerRunning(cluster))) {
      if (start?.ended === 'SIGKILL' && kills < KILLS_MAX) kills++
      else if (start) await requireLostRace(cluster, start)
      log(`Starting PostgreSQL in ${cluster.clusterDir}.`)
      start = await launchServer(cluster, durable)
    }
    await sleep(POLL_MS)
  }
  const tail = await start?.tail()
  throw new Error(
    `PostgreSQL in ${cluster.clusterDir} accepts no connections after ${START_LIMIT_MS / 1000} s: ${tail ?? ''}`,
  )
}

async function requireLostRace(cluster: Cluster, start: Launch): Promise<void> {
  const tail = await start.tail()
  if (LOST_RACE.test(tail)) return
  throw new Error(`PostgreSQL did not start in ${cluster.clusterDir} (${start.ended}): ${tail}`)
}

function toMessage(err: unknown): string {
  return err instanceof Error ? err.message : String(err)
}
