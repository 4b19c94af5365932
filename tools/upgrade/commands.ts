import { execFile } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

type Operator = { root: string; directory: string; postgres: string; sealingKeys: string }

/** The commands of the present version, as an operator runs them. `postgres` is the directory of `pg_dump`. */
export function createCommands({ root, directory, postgres, sealingKeys }: Operator) {
  const backups = join(directory, 'backups')

  async function runCommand<T>(databaseUrl: string, ...words: string[]): Promise<T> {
    const env = {
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      PATH: `${postgres}:/usr/bin:/bin`,
      DATABASE_URL: databaseUrl,
      SEALING_KEYS: sealingKeys,
    }
    const program = [join(root, 'server/src/bin/admin.ts'), ...words]
    const { stdout, stderr } = await execute(process.execPath, program, { env, cwd: tmpdir(), maxBuffer: 2 ** 24 })
    appendFileSync(join(directory, 'commands.log'), `${words.join(' ')}\n${stdout}${stderr}\n`)
    if (stderr) console.log(stderr.trim())
    return JSON.parse(stdout)
  }

  return {
    async plan(databaseUrl: string): Promise<number> {
      const { migrations } = await runCommand<{ migrations: unknown[] }>(databaseUrl, 'migrate', '--plan')
      return migrations.length
    },
    backUp: (databaseUrl: string) => runCommand<{ backup: string }>(databaseUrl, 'backup', backups),
    restore: (databaseUrl: string) => runCommand<{ held: boolean; version: string }>(databaseUrl, 'restore', backups),
  }
}
