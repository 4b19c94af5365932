import { connect, type Socket } from 'node:net'

/** What the driver knows of its server: a unix socket's path, or one host and port. */
type Place = { path?: string | false; host: string[]; port: number[] }

/**
 * A connection whose end is an error, and whose close is none.
 *
 * Where a server ends a connection before its first answer, as a proxy does
 * whose database is away, the driver (3.4.9) connects again, without pause and
 * for ever, and the statement that waits for it is never told: so an end is an
 * error. Between a connection's error and its close the driver still hands
 * statements to it; after a close that comes of an error it forgets them there,
 * and gives them an empty result of the next connection: so no close does.
 */
export function databaseSocket({ path, host: [host = ''], port: [port = 5432] }: Place): Socket {
  const socket = path ? connect(path) : connect({ host, port })
  socket.once('end', () => {
    socket.destroy(Object.assign(new Error('The database ended the connection'), { code: 'CONNECTION_CLOSED' }))
  })
  const emit = socket.emit.bind(socket)
  socket.emit = (event: string | symbol, ...args: unknown[]) =>
    event === 'close' ? emit('close', false) : emit(event, ...args)
  // The driver checks a certificate against this name.
  return Object.assign(socket, { host })
}
