import type { Pool, Tx } from './pool.ts'

const waiting = new WeakMap<object, (() => void)[]>()

/** Calls `work` once the transaction is committed, and never where it is not. It must not fail, and nobody waits for it. */
export function afterCommit(tx: Tx, work: () => void): void {
  const works = waiting.get(tx)
  if (works) works.push(work)
  else waiting.set(tx, [work])
}

/** A pool whose transactions keep the promise of `afterCommit`. */
export function withAfterCommit(sql: Pool): Pool {
  const begin = sql.begin.bind(sql) as (work: (tx: Tx) => unknown) => Promise<unknown>
  async function beginAndTell(work: (tx: Tx) => unknown): Promise<unknown> {
    let begun: Tx | undefined
    const result = await begin((tx) => {
      begun = tx
      return work(tx)
    })
    for (const told of (begun && waiting.get(begun)) ?? []) told()
    return result
  }
  return Object.assign(sql, { begin: beginAndTell as Pool['begin'] })
}
