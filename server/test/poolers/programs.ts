import { access } from 'node:fs/promises'
import { connect } from 'node:net'

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
