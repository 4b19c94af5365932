import { migrate } from '../migrate.ts'
import { openPool } from '../pool.ts'

/** One of several processes that start at once: waits for a line of input, migrates, and prints what it applied. */
const sql = openPool(process.argv[2] ?? '', { max: 1, name: 'a migrating process' })
await sql`select 1`
process.stdout.write('ready\n')
process.stdin.once('data', async () => {
  const { applied } = await migrate(sql)
  process.stdout.write(`${JSON.stringify(applied)}\n`)
  await sql.end()
  process.exit()
})
