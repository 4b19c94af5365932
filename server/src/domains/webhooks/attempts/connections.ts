import type { Vetted } from '../../../kernel/net/vet.ts'
import { Connection, type ConnectionSettings } from './connection.ts'

/** Who needs a connection. One that is over by the time its turn comes is passed over. */
export type Borrower = {
  /** A kept connection has failed it already. */
  needsNew: boolean
  isOver: boolean
  use(connection: Connection, vetted: Vetted): void
}

/** The connections to one origin. `idle` has the one that was used last at its end. */
type Origin = { open: number; idle: Connection[]; waiting: { borrower: Borrower; vetted: Vetted }[] }

export type ConnectionLimits = {
  /** In use or kept, to one origin. Whoever comes next waits for one of them. */
  perOriginMax: number
  /** Kept without use, to all origins. The one that lay idle longest is closed. */
  idleMax: number
}

export type Connections = ReturnType<typeof createConnections>

/**
 * Lends connections, one request at a time on each. A kept one is lent only to whom its address has just been vetted: a
 * name that has moved since, to a good address or to a bad one, cannot be reached over an old socket.
 */
export function createConnections({ perOriginMax, idleMax, ...settings }: ConnectionLimits & ConnectionSettings) {
  const origins = new Map<string, Origin>()
  /** Of all origins, the one that lay idle longest first. */
  const idle = new Set<Connection>()
  let isClosed = false

  function originOf(name: string): Origin {
    const found = origins.get(name)
    if (found) return found
    const made: Origin = { open: 0, idle: [], waiting: [] }
    origins.set(name, made)
    return made
  }

  function lend(borrower: Borrower, vetted: Vetted): void {
    const origin = originOf(vetted.url.origin)
    const kept = borrower.needsNew ? undefined : takeKept(origin, vetted)
    if (kept) borrower.use(kept, vetted)
    else if (hasRoom(origin)) borrower.use(open(origin, vetted), vetted)
    else origin.waiting.push({ borrower, vetted })
  }

  /** A connection that is kept for an address of another day gives way to one that is needed. */
  function hasRoom(origin: Origin): boolean {
    const [spare] = origin.idle
    if (origin.open >= perOriginMax && spare) remove(origin, spare)
    return origin.open < perOriginMax
  }

  function takeKept(origin: Origin, { addresses }: Vetted): Connection | undefined {
    for (let index = origin.idle.length - 1; index >= 0; index--) {
      const connection = origin.idle[index]
      if (connection?.isUsable() && addresses.some(({ address }) => address === connection.address)) {
        origin.idle.splice(index, 1)
        idle.delete(connection)
        return connection
      }
    }
    return undefined
  }

  function open(origin: Origin, vetted: Vetted): Connection {
    const connection = new Connection(vetted, settings, drop)
    origin.open++
    return connection
  }

  /** Closes a connection, in whatever state it is. */
  function drop(connection: Connection): void {
    if (connection.isDropped) return
    const origin = originOf(connection.origin)
    remove(origin, connection)
    lendToNext(origin)
    if (origin.open === 0) origins.delete(connection.origin)
  }

  function remove(origin: Origin, connection: Connection): void {
    connection.isDropped = true
    origin.open--
    if (idle.delete(connection)) origin.idle.splice(origin.idle.indexOf(connection), 1)
    connection.destroy()
  }

  function lendToNext(origin: Origin): void {
    let next = origin.waiting.shift()
    while (next?.borrower.isOver) next = origin.waiting.shift()
    if (next) lend(next.borrower, next.vetted)
  }

  /** Takes back a connection whose response was read to its end. */
  function giveBack(connection: Connection): void {
    if (isClosed || !connection.isUsable()) drop(connection)
    else keep(connection)
  }

  function keep(connection: Connection): void {
    const origin = originOf(connection.origin)
    connection.isUsed = true
    origin.idle.push(connection)
    idle.add(connection)
    lendToNext(origin)
    if (idle.size > idleMax) dropOldest()
  }

  function dropOldest(): void {
    const [oldest] = idle
    if (oldest) drop(oldest)
  }

  return {
    lend,
    drop,
    giveBack,
    /** Closes what is idle; what is in use is closed when it is given back. */
    close(): void {
      isClosed = true
      for (const connection of idle) drop(connection)
    },
  }
}
