import type postgres from 'postgres'
import type { ConnectionSlots } from './connection-slots.ts'

/** The part of the driver's query object that is used here. */
type DriverQuery = Promise<unknown> & {
  executed: boolean
  /** `onexecute` marks the `begin` of a transaction. */
  options: { onexecute?: unknown }
  handler: Handler
  resolve: (result: unknown) => void
  handle: () => unknown
}
/** Passes a query to the pool, or to the connection of a transaction. */
type Handler = (query: DriverQuery) => void

const fixed = new WeakSet<DriverQuery>()
const slotsOfPools = new WeakMap<Handler, ConnectionSlots>()

/**
 * Works around two faults of the driver (3.4.9): pipelining, see `createConnectionSlots`, and results with holes. After a
 * statement that fails between its rows (a timeout, a cast), the next result on the connection begins with as many
 * holes, and `const [row] = await sql…` finds nothing. The driver counts rows in a variable that only a completed
 * statement resets.
 *
 * The option `max_pipeline: 0` is no substitute: with it, a transaction shares its connection with other statements.
 */
export function fixDriverQueries(sql: postgres.Sql<Record<string, never>>, slots: ConnectionSlots): void {
  // A query is sent when it is awaited; this one never is.
  const query = sql`` as unknown as DriverQuery
  slotsOfPools.set(query.handler, slots)
  fixPrototype(Object.getPrototypeOf(query))
}

function fixPrototype(prototype: DriverQuery): void {
  if (fixed.has(prototype)) return
  fixed.add(prototype)
  const { handle } = prototype
  prototype.handle = function () {
    if (!this.executed) {
      const { resolve, handler } = this
      this.resolve = (result) => resolve(removeHoles(result))
      const slots = slotsOfPools.get(handler)
      // A transaction has acquired its slot before its `begin`.
      if (slots && !this.options.onexecute) this.handler = (query) => void runInSlot(slots, query, handler)
    }
    return handle.call(this)
  }
}

async function runInSlot(slots: ConnectionSlots, query: DriverQuery, handler: Handler): Promise<void> {
  const release = await slots.acquire()
  // The driver frees the connection before the callbacks of the promise run.
  query.then(release, release)
  handler(query)
}

function removeHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result
  result.splice(
    0,
    result.findIndex((_, i) => i in result),
  )
  return result
}
