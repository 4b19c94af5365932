import { basename, delimiter, dirname, relative } from 'node:path'

/** A person calls the commands of this installation by the program of the package, or by npm in a clone. */
export function describeAdminCall(npm = 'npm run admin --'): string {
  const program = process.argv[1] ?? ''
  const name = basename(program)
  if (!name.startsWith('hubline-server')) return npm
  const isOnPath = process.env.PATH?.split(delimiter).includes(dirname(program))
  return isOnPath ? name : relative('', program)
}
