import type { Clock } from '../../kernel/clock.ts'
import { isDatabaseUnavailable, type Pool } from '../../kernel/db/pool.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { HoldReason, HoldState } from './store.ts'
import * as store from './store.ts'

type Dependencies = { sql: Pool; now: Clock; logger: Logger }

export type Hold = ReturnType<typeof createHold>

/**
 * A hub on hold takes callbacks and answers reads, and does nothing outside: no send, no delivery, no job that calls another
 * service. A person sets and releases it, for all processes. A restore sets it too, because the data is older than what the
 * world has seen since: keys that look free were used, and deliveries that look open were made.
 *
 * The state is one row. Each process reads it at its start, before it does anything, and every second.
 */
export function createHold({ sql, now, logger }: Dependencies) {
  let held: HoldState | null = null

  function see(state: HoldState | null): void {
    if (state !== null && held === null)
      logger.warn(state, 'on hold: sends, deliveries and jobs that call out stand still')
    if (state === null && held !== null) logger.info('the hold is released')
    held = state
  }

  /** Null where the role may not read it. */
  async function readSystemIdentifier(): Promise<string | null> {
    try {
      return await store.readSystemIdentifier(sql)
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err
      logger.warn({ err }, 'the role may not read pg_control_system(): a restored database is not recognized')
      return null
    }
  }

  async function refresh(): Promise<void> {
    see(await store.findHold(sql))
  }

  return {
    /** As of a second ago. */
    isHeld: () => held !== null,
    refresh,

    /** At a start. The data may have moved to another server: as a copy, beside an original that still works. */
    async start(): Promise<void> {
      const id = await readSystemIdentifier()
      if (id !== null) await store.compareSystemIdentifier(sql, { id, now: now() })
      await refresh()
    },

    async set(reason: HoldReason): Promise<HoldState> {
      const state = { since: now(), reason }
      await store.setHold(sql, state)
      held = (await store.findHold(sql)) ?? { since: state.since.toISOString(), reason }
      return held
    },

    /** Returns false if there was no hold. */
    async release(): Promise<boolean> {
      const wasHeld = await store.clearHold(sql, await readSystemIdentifier())
      await refresh()
      return wasHeld
    },
  }
}
