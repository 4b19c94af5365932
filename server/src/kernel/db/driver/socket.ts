import { connect, type Socket } from 'node:net'

/** The server as the driver passes it: the path of a unix socket, or one host and port. */
export type ServerAddress = { path?: string | false; host: string[]; port: number[] }

/**
 * Opens a connection that works around two faults of the driver (3.4.9).
 *
 * - When the server ends a connection before its first response, as a proxy without its database does, the driver
 *   reconnects forever without a pause and the waiting statement never settles. So an `end` becomes an error here.
 * - Between a connection's error and its `close(hadError: true)` the driver still assigns statements to it. It then
 *   drops them, and resolves them with an empty result on the next connection. So `close` reports no error here.
 */
export function connectToServer({ path, host: [host = ''], port: [port = 5432] }: ServerAddress): Socket {
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
