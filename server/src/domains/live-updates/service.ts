import type { Clock } from '../../kernel/clock.ts'
import { afterCommit, type Pool, type Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type Principal, requireSession, type SessionPrincipal } from '../auth/principal.ts'
import type { Auth } from '../auth/service.ts'
import { lockSessionsOfPerson } from '../auth/sessions/service.ts'
import { createCollectedUpdates, toReload } from './collected-updates.ts'
import { createHistory, type History } from './history.ts'
import { type LiveUpdate, toEntryUpdates } from './live-update.ts'
import { createLiveNotifications, type LiveNotification, type StreamSelection } from './notifications.ts'
import * as store from './store.ts'
import { createUpdateStream, type UpdateStream } from './stream.ts'

const STREAMS_MAX = { session: 3, person: 12 }
/** A stream is renewed with every check of its session, twice in this time. */
const LEASE_SECONDS = 75
/** A client that comes back gets this much again: ids have the clocks of different processes. */
const RESUME_MS = 10_000
/** A person watches, and each NOTIFY slows every commit that follows it. */
const COLLECT_MS = 250

const TABLES = ['live_update_streams']

type Dependencies = { sql: Pool; now: Clock; logger: Logger; auth: Pick<Auth, 'hasScopes'> }
type OpenStream = { organizationId: string; userId: string }
/** `untilMs` is a time of this process. */
type Watched = { history: History; untilMs: number }

export type LiveUpdates = ReturnType<typeof createLiveUpdates>

/**
 * Tells open dashboards what changed, by ids and kinds, in every process.
 *
 * An organization is watched while a stream of it is open anywhere. The process of the stream says so to all others when
 * it opens, and again every 30 seconds. A process records changes of watched organizations only, after their
 * transactions, and collects them for 250 ms; without a stream it records nothing. All processes get the same
 * notifications in the same order and keep the latest, so that a client may come back to any of them.
 *
 * Nothing of it is stored. Where an update may have been lost (a lost connection to the database, a stream that falls
 * behind, a client that comes back late), the stream sends `reload`, and the dashboard reads again what it shows.
 */
export function createLiveUpdates({ sql, now, logger, auth }: Dependencies) {
  const watched = new Map<string, Watched>()
  const streams = new Map<UpdateStream, OpenStream>()
  const collected = createCollectedUpdates(now)
  const notifications = createLiveNotifications({ sql, logger, onNotification, onListening })
  const closing = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  function watch(organizationId: string): History {
    const untilMs = performance.now() + LEASE_SECONDS * 1000
    const { history } = watched.get(organizationId) ?? { history: createHistory(now().getTime()) }
    watched.set(organizationId, { history, untilMs })
    return history
  }

  function isWatched(organizationId: string): boolean {
    const found = watched.get(organizationId)
    if (!found) return false
    if (found.untilMs > performance.now() || listStreams({ organizationId }).length > 0) return true
    watched.delete(organizationId)
    return false
  }

  function onNotification(notification: LiveNotification): void {
    if ('watched' in notification) watch(notification.watched)
    else if ('recheck' in notification) for (const stream of listStreams(notification.recheck)) stream.recheck()
    else {
      watched.get(notification.organizationId)?.history.add(notification.updates)
      wakeStreams(notification.organizationId)
    }
  }

  /** Updates that were sent before are lost to this process. */
  function onListening(): void {
    for (const [organizationId, { history }] of watched) {
      history.clear(now().getTime())
      wakeStreams(organizationId)
    }
    store.listWatched(sql).then(
      (organizationIds) => organizationIds.forEach(watch),
      (err) => logger.warn({ err }, 'cannot read which organizations are watched'),
    )
  }

  function listStreams(of: StreamSelection): UpdateStream[] {
    const isOf = (open: OpenStream) =>
      'userId' in of ? open.userId === of.userId : open.organizationId === of.organizationId
    return [...streams].flatMap(([stream, open]) => (isOf(open) ? [stream] : []))
  }

  function wakeStreams(organizationId: string): void {
    for (const stream of listStreams({ organizationId })) stream.wake()
  }

  /** Calls `toUpdates` only while a stream is open somewhere. To be called after the commit. */
  function record<T>(items: readonly T[], toUpdates: (item: T) => LiveUpdate[]): void {
    if (watched.size === 0) return
    const updates = items.flatMap(toUpdates).filter(({ organizationId }) => isWatched(organizationId))
    for (const update of updates) collected.add(update)
    if (updates.length > 0) timer ??= setTimeout(() => void flush(), COLLECT_MS)
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = collected.take()
    if (taken.length > 0) await send(taken)
  }

  async function send(sent: readonly LiveNotification[]): Promise<void> {
    await notifications.send(sent).catch((err) => logger.warn({ err }, 'live updates not sent'))
  }

  /** Throws if the session or its person has as many streams as they may have. */
  async function insertStream(key: store.StreamKey, session: SessionPrincipal): Promise<void> {
    await sql.begin(async (tx) => {
      const sessionIds = await lockSessionsOfPerson(tx, session)
      if (!sessionIds) throw notFound('organization_not_found')
      const used = await store.countStreams(tx, { sessionId: session.id, sessionIds })
      for (const who of ['session', 'person'] as const) {
        if (used[who] >= STREAMS_MAX[who]) throw tooManyStreams(who, used[who])
      }
      await store.insertStream(tx, { ...key, sessionId: session.id, leaseSeconds: LEASE_SECONDS })
    })
  }

  /** Returns true if the session is valid and its person a member, whose role may read. */
  async function check(principal: Principal, key: store.StreamKey): Promise<boolean> {
    if (!(await auth.hasScopes(principal, []))) return false
    await store.renewStream(sql, { ...key, leaseSeconds: LEASE_SECONDS })
    await notifications.repair()
    watch(key.organizationId)
    await send([{ watched: key.organizationId }])
    return true
  }

  function close(stream: UpdateStream, key: store.StreamKey): void {
    streams.delete(stream)
    // Without it the row expires.
    const closed = store.deleteStream(sql, key).catch((err) => logger.warn({ err }, 'a stream was not deleted'))
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }

  return {
    record,

    /** Publishes the change that an entry of the audit log records. Joins the transaction of the change. */
    recordEntry(tx: Tx, entry: Parameters<typeof toEntryUpdates>[0]): void {
      afterCommit(tx, () => record([entry], toEntryUpdates))
    },

    /** Checks the streams of a person or an organization after the transaction, in every process. */
    recheckAfterCommit(tx: Tx, recheck: StreamSelection): void {
      afterCommit(tx, () => {
        if (watched.size > 0) void send([{ recheck }])
      })
    },

    /** The events of a new stream. `signal` is aborted at the client's disconnect. */
    async open(
      principal: Principal,
      lastEventId: string | undefined,
      signal: AbortSignal,
    ): Promise<AsyncIterable<string>> {
      const session = requireSession(principal)
      const { organizationId } = principal
      const key = { organizationId, id: newId(now()) }
      await notifications.listen()
      const history = watch(organizationId)
      await insertStream(key, session)
      const position = lastEventId === undefined ? history.getEnd() : history.find(lastEventId, RESUME_MS)
      const createReload = () => toReload(now)
      const stream = createUpdateStream({ history, position, check: () => check(principal, key), createReload, signal })
      streams.set(stream, { organizationId, userId: session.userId })
      if (isStopping) stream.stop()
      if (signal.aborted) close(stream, key)
      else signal.addEventListener('abort', () => close(stream, key), { once: true })
      await send([{ watched: organizationId }])
      return stream.text
    },

    countStreams: () => streams.size,

    /** Ends the streams of this process. Their clients go on at another one. */
    endStreams(): void {
      isStopping = true
      for (const stream of streams.keys()) stream.stop()
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteExpired(): Promise<void> {
      await store.deleteExpired(sql)
    },

    /** Until then this process does not know what is watched. */
    start(): void {
      void notifications.listen()
    },

    async [Symbol.asyncDispose]() {
      await flush()
      await Promise.all(closing)
      await notifications.stop()
    },
  }
}

function tooManyStreams(who: keyof typeof STREAMS_MAX, used: number): AppError {
  const limit = STREAMS_MAX[who]
  return new AppError('QUOTA_EXCEEDED', `streams_of_${who}`, {
    parameters: { limit },
    details: { quota: 'streams', limit, used },
  })
}
