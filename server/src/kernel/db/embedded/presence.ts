import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { isRunning, type Launch, launch, stop } from './postmaster.ts'
import { openSession, type Session } from './session.ts'

// Replaying the log after a crash of the machine takes its time.
const START_LIMIT_MS = 120_000
const POLL_MS = 50
const REJOIN_WAIT_MS_MAX = 10_000

// A kill comes from outside and says nothing about the database; for want of memory it would come each time.
const KILLS_MAX = 3

// The server's own words for "another one is there, still going or just coming".
const LOST_RACE =
  /lock file ".*" (already exists|is empty)|(create|open|read) lock file|pre-existing shared memory|received \w+ shutdown request/

type Manner = { durable: boolean; log: (line: string) => void }

type Presence = {
  cluster: Cluster
  manner: Manner
  session: Session
  isHub: boolean
  rejoining: Promise<void>
  leaving: AbortController
}

/** Keeps this process among the users of the server, through every loss of it, until it leaves. */
export async function keepPresence(cluster: Cluster, manner: Manner) {
  const session = await join(cluster, manner)
  const leaving = new AbortController()
  const presence: Presence = { cluster, manner, session, isHub: false, rejoining: Promise.resolve(), leaving }
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
  const { cluster, manner } = presence
  const { signal } = presence.leaving
  manner.log('The connection to PostgreSQL is lost.')
  for (let waitMs = 100; !signal.aborted; waitMs = Math.min(waitMs * 2, REJOIN_WAIT_MS_MAX)) {
    try {
      await presence.session.end()
      presence.session = await join(cluster, manner)
      const isAlone = !presence.isHub || (await presence.session.claimHub())
      if (!isAlone) manner.log('Another hub has started on the same data directory.')
      return watch(presence)
    } catch (err) {
      manner.log(messageOf(err))
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}

async function leave(presence: Presence): Promise<void> {
  presence.leaving.abort()
  await presence.rejoining
  try {
    if (await presence.session.leave()) await stop(presence.cluster)
  } catch (err) {
    presence.manner.log(`PostgreSQL was left as it is: ${messageOf(err)}`)
  }
  await presence.session.end()
}

/**
 * Connects to the server, starting it when none runs. Others may be starting or
 * stopping it at the same time: a start that lost against another, or a server
 * that is on its way out, only means to look again.
 */
async function join(cluster: Cluster, { durable, log }: Manner): Promise<Session> {
  const deadline = Date.now() + START_LIMIT_MS
  let start: Launch | undefined
  let kills = 0
  while (Date.now() < deadline) {
    const session = await openSession(cluster)
    if (session) return session

    const isOver = !start || start.ended !== undefined
    if (isOver && !(await isRunning(cluster))) {
      if (start?.ended === 'SIGKILL' && kills < KILLS_MAX) kills++
      else if (start) await requireLostRace(cluster, start)
      log(`Starting PostgreSQL in ${cluster.home}.`)
      start = await launch(cluster, durable)
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

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err)
}
