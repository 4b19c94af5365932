import type { Pool, Tx } from './pool.ts'

const waiting = new WeakMap<object, (() => void)[]>()

/** Calls `work` after the transaction commits, and never after a rollback. `work` must not throw and is not awaited. */
export function afterCommit(tx: Tx, work: () => void): void {
  const works = waiting.get(tx)
  if (works) works.push(work)
  else waiting.set(tx, [work])
}

/** A pool whose transactions keep the promise of `afterCommit`. */
export function withAfterCommit(sql: Pool): Pool {
  const begin = sql.begin.bind(sql) as (work: (tx: Tx) => unknown) => Promise<unknown>
  async function beginAndRunAfter(work: (tx: Tx) => unknown): Promise<unknown> {
    let begun: Tx | undefined
    const result = await begin((tx) => {
      begun = tx
      return work(tx)
    })
    for (const work of (begun && waiting.get(begun)) ?? []) work()
    return result
  }
  return Object.assign(sql, { begin: beginAndRunAfter as Pool['begin'] })
}
