import { access, constants } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, isAbsolute, join } from 'node:path'

/** The program at a path that the person who runs the tests chose, or Debian's, which is not in the PATH of every account. */
export async function findProgram(name: string, chosenPath: string | undefined): Promise<string> {
  if (chosenPath) return chosenPath
  const debianPath = `/usr/sbin/${name}`
  return access(debianPath).then(
    () => debianPath,
    () => name,
  )
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** The name of the program if it is not installed, as the reason for which a test is skipped. */
export async function findMissing(name: string, chosenPath: string | undefined): Promise<string | false> {
  const program = await findProgram(name, chosenPath)
  const paths = isAbsolute(program)
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((path) => join(path, program))
  const found = await Promise.allSettled(paths.map((path) => access(path, constants.X_OK)))
  return found.some(({ status }) => status === 'fulfilled') ? false : `${name} is not installed`
}
