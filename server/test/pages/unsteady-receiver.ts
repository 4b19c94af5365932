import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Reply } from '../receiver.ts'

/** A webhook receiver that can answer with an error, not answer at all, or be down. */
export async function startUnsteadyReceiver(t: TestContext) {
  let reply: Reply | 'silence' = { status: 200 }
  let received = 0
  function handle(request: IncomingMessage, response: ServerResponse): void {
    request.resume().on('end', () => {
      received++
      if (reply !== 'silence') response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  }
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  async function stop(): Promise<void> {
    if (!server.listening) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  t.after(stop)
  return {
    destination: `127.0.0.1:${port}`,
    count: () => received,
    answer(next: Reply | 'silence'): void {
      reply = next
    },
    /** From now on connections are refused. */
    stop,
    /** Listens again, where it was. */
    async start(): Promise<void> {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
