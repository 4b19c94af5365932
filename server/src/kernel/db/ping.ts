import type { Pool } from './pool.ts'

const PING_TIMEOUT_MS = 2000

/** Whether the database responds within two seconds. */
export async function ping(sql: Pool): Promise<boolean> {
  const query = sql`select 1`.execute()
  const timeout = AbortSignal.timeout(PING_TIMEOUT_MS)
  const timedOut = new Promise<false>((settle) => timeout.addEventListener('abort', () => settle(false)))
  const responded = query.then(
    () => true,
    () => false,
  )
  return Promise.race([responded, timedOut])
}
