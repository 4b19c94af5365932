import { cpus, totalmem } from 'node:os'
import type { Pool } from '../../server/src/kernel/db/pool.ts'

/** The machine and the versions that figures come from, in one line. */
export async function describeMachine(sql: Pool): Promise<string> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  const cores = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const model = cores[0]?.model.trim() ?? process.arch
  return `${cores.length} cores (${model}), ${memory}, Node.js ${process.versions.node}, PostgreSQL ${row?.version}`
}
