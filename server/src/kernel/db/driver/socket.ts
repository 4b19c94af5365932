import { connect, type Socket } from 'node:net'

/** The server as the driver passes it: the path of a unix socket, or one host and port. */
export type ServerAddress = { path?: string | false; host: string[]; port: number[] }

/** The protocol version and the first parameter of the message that begins a session. Its length stands before them. */
const STARTUP_MARK = Buffer.from('\0\x03\0\0user\0', 'latin1')
const LENGTH_BYTES = 4
/** The driver sends this much at once. It collects smaller messages. */
const DRIVER_CHUNK_BYTES = 1024

const socketErrors = new WeakSet<Error>()

/** Whether a connection to the database failed with this error. */
export function isSocketError(error: Error): boolean {
  return socketErrors.has(error)
}

/** A setting of the startup message, long enough that the driver does not collect the message. Trailing spaces are ignored. */
export function padSetting(value: number): string {
  return String(value).padEnd(DRIVER_CHUNK_BYTES)
}

/**
 * Opens a connection that works around three faults of the driver (3.4.9).
 *
 * - When the server ends a connection before its first response, as a proxy without its database does, the driver
 *   reconnects forever without a pause and the waiting statement never settles. So an `end` becomes an error here.
 * - Between a connection's error and its `close(hadError: true)` the driver still assigns statements to it. It then
 *   drops them, and resolves them with an empty result on the next connection. So `close` reports no error here.
 * - What it had collected for a connection that closed comes before the first message of the next one, and that is never
 *   sent: the next statement fails after the connect timeout. So the startup message is padded, see `padSetting`, which
 *   sends it, and the first write leaves out what comes before it. With TLS, which begins with another message, the fault
 *   remains.
 */
export function connectToServer({ path, host: [host = ''], port: [port = 5432] }: ServerAddress): Socket {
  const socket = path ? connect(path) : connect({ host, port })
  socket.on('error', (err) => socketErrors.add(err))
  socket.once('end', () => {
    socket.destroy(Object.assign(new Error('The database ended the connection'), { code: 'CONNECTION_CLOSED' }))
  })
  const emit = socket.emit.bind(socket)
  socket.emit = (event: string | symbol, ...args: unknown[]) =>
    event === 'close' ? emit('close', false) : emit(event, ...args)
  const write = socket.write.bind(socket)
  socket.write = ((chunk: Buffer, ...args: []) => {
    socket.write = write
    return write(findStartup(chunk), ...args)
  }) as Socket['write']
  // The driver checks a certificate against this name.
  return Object.assign(socket, { host })
}

function findStartup(chunk: Buffer): Buffer {
  const at = chunk.lastIndexOf(STARTUP_MARK)
  return at < LENGTH_BYTES ? chunk : chunk.subarray(at - LENGTH_BYTES)
}
