import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findAccountForNewDatabase, runAs } from '../../server/src/kernel/db/embedded/account.ts'
import { toDatabase } from '../ha/cluster.ts'
import { findQuietPort } from '../ports.ts'
import { signalServer } from '../torture/database.ts'

const ACCOUNT = 'hub'
/** Four processes, commands, and partitions that are all locked by a dump. */
const SETTINGS = ['max_connections=200', 'max_locks_per_transaction=256', 'listen_addresses=127.0.0.1']

/** A PostgreSQL of the machine's packages with a directory and a port of its own, as `DATABASE_URL` names one. */
export async function startPostgres(bin: string, directory: string) {
  const home = join(directory, 'postgresql')
  const data = join(home, 'data')
  const port = await findQuietPort()
  const account = await findAccountForNewDatabase()
  await mkdir(home)
  if (account) await chown(home, account.uid, account.gid)
  const run = (program: string, ...args: string[]) => runAs(account, join(bin, program), args)
  await run('initdb', '-D', data, '-U', ACCOUNT, '--auth=trust', '--encoding=UTF8')
  const options = [...SETTINGS, `port=${port}`, `unix_socket_directories=${home}`].map((one) => `-c ${one}`).join(' ')
  await run('pg_ctl', '-D', data, '-l', join(home, 'log'), '-w', '-o', options, 'start')
  // A run that is interrupted disposes of nothing.
  const end = () => signalServer(join(data, 'postmaster.pid'), 'SIGQUIT')
  process.once('exit', end)
  return {
    /** An empty database of this name. */
    async create(name: string) {
      await run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', ACCOUNT, name)
      return toDatabase(`postgres://${ACCOUNT}@127.0.0.1:${port}/${name}`)
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
    },
  }
}
