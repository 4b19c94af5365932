import type { Fragment, Sql } from './pool.ts'

/** The rows of several queries, each of which may have an order and a limit of its own. */
export function unionAll(sql: Sql, queries: readonly Fragment[]): Fragment {
  return sql`${queries.map((query, n) => (n === 0 ? sql`(${query})` : sql` union all (${query})`))}`
}
