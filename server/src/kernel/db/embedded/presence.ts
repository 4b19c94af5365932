import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { isServerRunning, type Launch, launchServer, stopServer } from './postmaster.ts'
import { openSession, type Session } from './session.ts'

// Replaying the write-ahead log after a crash of the machine can take long.
const START_LIMIT_MS = 120_000
const POLL_MS = 50
const REJOIN_WAIT_MS_MAX = 10_000

// A kill comes from outside and does not mean that the database is broken. Out of memory, the kernel kills every start.
const KILLS_MAX = 3

// The server's messages when another server runs, stops or starts on the same data.
const LOST_RACE =
  /lock file ".*" (already exists|is empty)|(create|open|read) lock file|pre-existing shared memory|received \w+ shutdown request/

type StartOptions = { durable: boolean; log: (line: string) => void }

type Presence = {
  cluster: Cluster
  startOptions: StartOptions
  session: Session
  isHub: boolean
  rejoining: Promise<void>
  leaving: AbortController
}

/** Holds this process's session with the server, and opens it again whenever it is lost, until the process leaves. */
export async function keepPresence(cluster: Cluster, startOptions: StartOptions) {
  const session = await join(cluster, startOptions)
  const leaving = new AbortController()
  const presence: Presence = { cluster, startOptions, session, isHub: false, rejoining: Promise.resolve(), leaving }
  let left: Promise<void> | undefined
  watch(presence)
  return {
    options: session.options,
    async claimHub(): Promise<boolean> {
      presence.isHub = await presence.session.claimHub()
      return presence.isHub
    },
    leave(): Promise<void> {
      left ??= leave(presence)
      return left
    },
  }
}

function watch(presence: Presence): void {
  presence.session.lost.then(() => {
    if (!presence.leaving.signal.aborted) presence.rejoining = rejoin(presence)
  })
}

async function rejoin(presence: Presence): Promise<void> {
  const { cluster, startOptions } = presence
  const { signal } = presence.leaving
  startOptions.log('The connection to PostgreSQL was lost.')
  for (let waitMs = 100; !signal.aborted; waitMs = Math.min(waitMs * 2, REJOIN_WAIT_MS_MAX)) {
    try {
      await presence.session.end()
      presence.session = await join(cluster, startOptions)
      const isAlone = !presence.isHub || (await presence.session.claimHub())
      if (!isAlone) startOptions.log('Another hub has started on the same data directory.')
      return watch(presence)
    } catch (err) {
      startOptions.log(toMessage(err))
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}

async function leave(presence: Presence): Promise<void> {
  presence.leaving.abort()
  await presence.rejoining
  try {
    if (await presence.session.leave()) await stopServer(presence.cluster)
  } catch (err) {
    presence.startOptions.log(`PostgreSQL could not be stopped: ${toMessage(err)}`)
  }
  await presence.session.end()
}

/**
 * Connects to the server, and starts it if none runs. Other processes may start or
 * stop it at the same time: after a start that lost that race, or while a server is
 * stopping, it tries again.
 */
async function join(cluster: Cluster, { durable, log }: StartOptions): Promise<Session> {
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
      log(`Starting PostgreSQL in ${cluster.home}.`)
      start = await launchServer(cluster, durable)
    }
    await sleep(POLL_MS)
  }
  const tail = await start?.tail()
  throw new Error(
    `PostgreSQL in ${cluster.home} accepts no connections after ${START_LIMIT_MS / 1000} s: ${tail ?? ''}`,
  )
}

async function requireLostRace(cluster: Cluster, start: Launch): Promise<void> {
  const tail = await start.tail()
  if (LOST_RACE.test(tail)) return
  throw new Error(`PostgreSQL did not start in ${cluster.home} (${start.ended}): ${tail}`)
}

function toMessage(err: unknown): string {
  return err instanceof Error ? err.message : String(err)
}
