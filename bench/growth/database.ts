import { migrate } from '../../server/src/kernel/db/migrate.ts'
import { createPartitions } from '../../server/src/kernel/db/partitions.ts'
import { type CountingDatabase, openCountingDatabase } from '../counting-database.ts'

const DAY_MS = 86_400_000
export const LOG_DAYS = 35
export const PARTITIONED = ['messages', 'events', 'callbacks', 'deliveries', 'delivery_attempts']

/** Filling writes little besides the rows. */
const SETTINGS = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  maintenance_work_mem: '256MB',
}

/** A database that counts the blocks of each statement, with partitions for 35 days. */
export async function openGrowthDatabase(): Promise<CountingDatabase> {
  const database = await openCountingDatabase({ durable: false, settings: SETTINGS })
  await migrate(database.sql)
  const first = new Date(Date.now() - LOG_DAYS * DAY_MS)
  for (const table of PARTITIONED) await createPartitions(database.sql, table, first, LOG_DAYS + 2)
  return database
}
