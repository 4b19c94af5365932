import type postgres from 'postgres'

/** The part of the driver's query object that is used here. */
type DriverQuery = { executed: boolean; resolve: (result: unknown) => void; handle: () => unknown }

const fixed = new WeakSet<DriverQuery>()

/**
 * Works around a fault of the driver (3.4.9). After a statement that fails between its rows (a timeout, a cast), the next
 * result on the connection begins with as many holes, and `const [row] = await sql…` finds nothing. The driver counts
 * rows in a variable that only a completed statement resets.
 */
export function fixSparseResults(sql: postgres.Sql<Record<string, never>>): void {
  // A query is sent when it is awaited; this one never is.
  const prototype: DriverQuery = Object.getPrototypeOf(sql``)
  if (fixed.has(prototype)) return
  fixed.add(prototype)
  const { handle } = prototype
  prototype.handle = function () {
    if (!this.executed) {
      const { resolve } = this
      this.resolve = (result) => resolve(removeHoles(result))
    }
    return handle.call(this)
  }
}

function removeHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result
  result.splice(
    0,
    result.findIndex((_, i) => i in result),
  )
  return result
}
