import { connect, type Socket } from 'node:net'

/** The bytes that a server wrote to a connection: the first response, with the rest as its text. */
export type RawResponse = { status: number; headers: Headers; text: string; body: ReturnType<typeof JSON.parse> }

/** A connection on which a test writes the bytes, for requests that no HTTP client sends. */
export async function openRawConnection(url: string) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve)
    // A reset after the response does not affect what was read.
    socket.once('error', () => resolve())
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })

  return {
    write(text: string | Buffer): void {
      socket.write(text)
    },

    /** Waits until the server ends the connection, and parses what it sent. */
    async answer(): Promise<RawResponse> {
      await ended
      socket.destroy()
      return parse(Buffer.concat(chunks).toString())
    },

    /** Stops reading from the server. */
    pause(): void {
      socket.pause()
    },

    hangUp(): void {
      socket.destroy()
    },
  }
}

/** Sends the bytes of one request and waits until the server ends the connection. */
export async function sendRaw(url: string, text: string | Buffer): Promise<RawResponse> {
  const connection = await openRawConnection(url)
  connection.write(text)
  return connection.answer()
}

function parse(raw: string): RawResponse {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  const text = rest.join('\r\n\r\n')
  const isOne = !text.includes('HTTP/1.1 ')
  const isJson = isOne && headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: Number(statusLine.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : undefined }
}
