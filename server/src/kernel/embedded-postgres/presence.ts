import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { isRunning, type Launch, launch, stop } from './postmaster.ts'
import { openSession, type Session } from './session.ts'

// Replaying the log after a crash of the machine takes its time.
const START_LIMIT_MS = 120_000
const POLL_MS = 50
const REJOIN_WAIT_MS_MAX = 10_000

// The server's own words for "another one is there, still going or just coming".
const LOST_RACE =
  /lock file ".*" (already exists|is empty)|(create|open|read) lock file|pre-existing shared memory|received \w+ shutdown request/

type Manner = { durable: boolean; log: (line: string) => void }

/** Keeps this process among the users of the server, through every loss of it, until it leaves. */
export async function keepPresence(cluster: Cluster, manner: Manner) {
  const leaving = new AbortController()
  let session = await join(cluster, manner)
  let isHub = false
  let rejoining = Promise.resolve()
  let left: Promise<void> | undefined

  function watch() {
    session.lost.then(() => {
      if (!leaving.signal.aborted) rejoining = rejoin()
    })
  }

  async function rejoin() {
    manner.log('The connection to PostgreSQL is lost.')
    for (let waitMs = 100; !leaving.signal.aborted; waitMs = Math.min(waitMs * 2, REJOIN_WAIT_MS_MAX)) {
      try {
        await session.end()
        session = await join(cluster, manner)
        if (isHub && !(await session.claimHub())) manner.log('Another hub has started on the same data directory.')
        return watch()
      } catch (err) {
        manner.log(messageOf(err))
        await sleep(waitMs, undefined, { signal: leaving.signal }).catch(() => {})
      }
    }
  }

  async function leave() {
    leaving.abort()
    await rejoining
    try {
      if (await session.leave()) await stop(cluster)
    } catch (err) {
      manner.log(`PostgreSQL was left as it is: ${messageOf(err)}`)
    }
    await session.end()
  }

  watch()
  return {
    options: session.options,
    async claimHub(): Promise<boolean> {
      isHub = await session.claimHub()
      return isHub
    },
    leave(): Promise<void> {
      left ??= leave()
      return left
    },
  }
}

/**
 * Connects to the server, starting it when none runs. Others may be starting or
 * stopping it at the same time: a start that lost against another, or a server
 * that is on its way out, only means to look again.
 */
async function join(cluster: Cluster, { durable, log }: Manner): Promise<Session> {
  const deadline = Date.now() + START_LIMIT_MS
  let start: Launch | undefined
  while (Date.now() < deadline) {
    const session = await openSession(cluster)
    if (session) return session

    const isOver = !start || start.ended !== undefined
    if (isOver && !(await isRunning(cluster))) {
      if (start) await requireLostRace(cluster, start)
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
