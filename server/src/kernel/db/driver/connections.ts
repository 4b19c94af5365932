import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, ConnectionLost, NO_SESSION } from './connection.ts'

/** Long enough not to flood a database that is down, short enough to be back at once. */
const PAUSE_AFTER_FAILURE_MS = 200
/** A server's limit may be raised, or another of its clients may leave. */
const LIMIT_KNOWN_MS = 10_000
/** The server keeps memory for each statement that a session has prepared. */
const LIFETIME_MS_MAX = 3_600_000
/** The server ends a statement at its own timeout, and its response needs time to arrive. */
const RESPONSE_MARGIN_SHARE = 1 / 6

/** A server that has no connection left, and a connection pooler that has none for clients or to the server. */
const LIMIT_CODES = ['53300', '08P01', NO_SESSION]
const READ_ONLY_STATE = '25006'

/** `urgent` work goes first, and has one connection for itself where the server allows fewer than wanted. */
export type Urgency = 'normal' | 'urgent'

export type Connections = ReturnType<typeof createConnections>

type Options = {
  max: number
  open: () => Promise<Connection>
  /** The longest time that a response takes; 0 if there is none. */
  responseTimeoutMs: number
  /** Called once, when the server refuses a connection because it has no more. */
  onLimit: (limit: number) => void
}

/** `activeAt` is when it was taken or given back, or when the server was last seen to send something. */
type Member = { connection: Connection; expiresAt: number; isTaken: boolean; activeAt: number; bytes: number }
type Waiting = { urgency: Urgency; resolve: (member: Member | undefined) => void; reject: (err: unknown) => void }

/**
 * The connections of a pool. Work takes one for itself and gives it back; it waits for one when all are taken. When the
 * server refuses another connection, the pool makes do with those that it has.
 */
export function createConnections({ max, open, responseTimeoutMs, onLimit }: Options) {
  const members = new Set<Member>()
  const idle: Member[] = []
  const waiting: Waiting[] = []
  const checkMs = responseTimeoutMs * RESPONSE_MARGIN_SHARE
  let opening = 0
  let limit = max
  let limitKnownUntil = 0
  let hasReportedLimit = false
  let failedAt = Number.NEGATIVE_INFINITY
  let isWatching = false
  let isEnding = false
  let isOver = false
  const { promise: empty, resolve: setEmpty } = Promise.withResolvers<void>()

  function mayTake(urgency: Urgency): boolean {
    if (urgency === 'urgent' || limit === max) return true
    return members.size - idle.length + opening < Math.max(1, limit - 1)
  }

  /** Once a limit is no longer known, any work may find out whether the server allows one connection more. */
  function canOpen(urgency: Urgency): boolean {
    if (limit < max && performance.now() > limitKnownUntil) return opening === 0 && members.size < max
    return mayTake(urgency) && members.size + opening < limit
  }

  async function acquire(urgency: Urgency = 'normal'): Promise<Member> {
    if (isEnding) throw poolEnded()
    for (;;) {
      const free = takeIdle(urgency)
      if (free) return free
      const member = canOpen(urgency) ? await tryOpen() : await wait(urgency)
      if (member) return member
    }
  }

  function takeIdle(urgency: Urgency): Member | undefined {
    if (idle.length === 0 || !mayTake(urgency)) return undefined
    const member = idle.pop()
    return member?.connection.isOpen() ? take(member) : undefined
  }

  function take(member: Member): Member {
    Object.assign(member, { isTaken: true, activeAt: performance.now(), bytes: member.connection.readBytes() })
    watch()
    return member
  }

  /** Checks go on until no connection is taken. */
  function watch(): void {
    if (isWatching || responseTimeoutMs === 0) return
    isWatching = true
    setTimeout(closeSilent, checkMs).unref()
  }

  /** Undefined: the server has no connection left, so that the work has to wait for one of the pool. */
  async function tryOpen(): Promise<Member | undefined> {
    opening++
    try {
      const pause = failedAt + PAUSE_AFTER_FAILURE_MS - performance.now()
      if (pause > 0) await delay(pause)
      const connection = await open()
      if (!isOver) return take(addMember(connection))
      connection.destroy()
      throw poolEnded()
    } catch (err) {
      failedAt = performance.now()
      const others = members.size + opening - 1
      // The waiting callers would fail alike, one after the other.
      if (others === 0) for (const { reject } of waiting.splice(0)) reject(err)
      if (others === 0 || !isLimit(err)) throw err
      limit = others
      limitKnownUntil = performance.now() + LIMIT_KNOWN_MS
      return undefined
    } finally {
      opening--
      if (limit < max && opening === 0) reportLimit()
      serveWaiting()
      checkEmpty()
    }
  }

  function addMember(connection: Connection): Member {
    const expiresAt = performance.now() + LIFETIME_MS_MAX * (0.5 + Math.random() / 2)
    const member = { connection, expiresAt, isTaken: true, activeAt: 0, bytes: 0 }
    members.add(member)
    limit = Math.max(limit, members.size)
    void connection.closed.then(() => remove(member))
    return member
  }

  function reportLimit(): void {
    if (!hasReportedLimit) onLimit(limit)
    hasReportedLimit = true
  }

  function wait(urgency: Urgency): Promise<Member | undefined> {
    return new Promise((resolve, reject) => {
      const firstNormal = waiting.findIndex((other) => other.urgency === 'normal')
      const at = urgency === 'urgent' && firstNormal >= 0 ? firstNormal : waiting.length
      waiting.splice(at, 0, { urgency, resolve, reject })
    })
  }

  /** Gives a free connection to the first that waits, or lets it open one. */
  function serveWaiting(): void {
    const [next] = waiting
    if (!next) return
    const member = takeIdle(next.urgency)
    if (!member && !canOpen(next.urgency)) return
    waiting.shift()
    next.resolve(member)
  }

  /** Gives a connection back. `err` is why its last work failed. */
  function release(member: Member, err?: unknown): void {
    const { connection } = member
    const isReadOnly = err instanceof pg.DatabaseError && err.code === READ_ONLY_STATE
    const isOver = isReadOnly || performance.now() > member.expiresAt || (isEnding && waiting.length === 0)
    if (connection.isInTransaction()) connection.destroy()
    else if (isOver) void connection.end()
    if (!connection.isOpen()) return
    Object.assign(member, { isTaken: false, activeAt: performance.now() })
    idle.push(member)
    serveWaiting()
  }

  function remove(member: Member): void {
    members.delete(member)
    const at = idle.indexOf(member)
    if (at >= 0) idle.splice(at, 1)
    serveWaiting()
    checkEmpty()
  }

  function checkEmpty(): void {
    if (isEnding && members.size === 0 && opening === 0) setEmpty()
  }

  /**
   * Closes connections whose server is gone without a word, as after a failover or behind a firewall that forgot them. TCP
   * alone notices after a quarter of an hour, and the callers would wait as long. When one is silent for longer than a
   * statement may take, the idle ones that have been unused for as long are not trusted either.
   */
  function closeSilent(): void {
    isWatching = false
    const now = performance.now()
    for (const member of members) {
      const bytes = member.connection.readBytes()
      if (member.isTaken && bytes !== member.bytes) Object.assign(member, { bytes, activeAt: now })
    }
    const silent = [...members].filter(({ activeAt }) => now - activeAt > responseTimeoutMs + checkMs)
    if (silent.some(({ isTaken }) => isTaken)) {
      const lost = new ConnectionLost('CONNECTION_CLOSED', 'The database has not answered')
      for (const { connection } of silent) connection.destroy(lost)
    }
    if (idle.length < members.size) watch()
  }

  return {
    acquire,
    release,

    /** Ends the pool when its work is done, or after this time at the latest. */
    async end(timeoutMs: number | undefined): Promise<void> {
      isEnding = true
      for (const { connection } of idle) void connection.end()
      checkEmpty()
      const timer = timeoutMs === undefined ? undefined : setTimeout(destroyAll, timeoutMs)
      await empty
      clearTimeout(timer)
    },
  }

  function destroyAll(): void {
    isOver = true
    const ended = poolEnded()
    for (const { reject } of waiting.splice(0)) reject(ended)
    for (const { connection } of [...members]) connection.destroy(ended)
    setEmpty()
  }
}

function poolEnded(): ConnectionLost {
  return new ConnectionLost('CONNECTION_ENDED', 'The pool has ended')
}

/** Returns true if a connection was refused because there are too many. */
export function isLimit(err: unknown): boolean {
  return (err instanceof pg.DatabaseError || err instanceof ConnectionLost) && LIMIT_CODES.includes(err.code ?? '')
}
