import { createHold } from '../../domains/hold/service.ts'
import { systemClock } from '../../kernel/clock.ts'
import { type Pool, readSqlState } from '../../kernel/db/pool.ts'
import { isMarked, removeMark } from '../../kernel/db/restore-mark.ts'
import type { Logger } from '../../kernel/logger.ts'

const UNDEFINED_TABLE = '42P01'

type Restored = { sql: Pool; directory: string | undefined; logger: Logger }

/** Before anything is done with the database: a restore may have been interrupted before it set the hold. */
export async function holdIfRestored(database: Restored): Promise<void> {
  if (await isMarked(database)) await holdRestored(database)
}

/** False for a database of a version without hold. */
export async function holdRestored(database: Restored): Promise<boolean> {
  const { sql, logger } = database
  const isHeld = await createHold({ sql, now: systemClock, logger })
    .set('restore')
    .then(
      () => true,
      (err: unknown) => {
        if (readSqlState(err) === UNDEFINED_TABLE) return false
        throw err
      },
    )
  await removeMark(database)
  return isHeld
}
