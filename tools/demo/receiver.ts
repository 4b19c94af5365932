import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type HubEvent, HubSignatureError, verifyWebhook } from '@hubline/sdk'

/** A delivery that arrived, and with which status it was answered. `event` is missing if the signature was wrong. */
export type Arrival = { deliveryId: string; event: HubEvent | undefined; status: number }
export type DemoReceiver = Awaited<ReturnType<typeof startReceiver>>

/** A webhook receiver as a customer of the hub would write it. It can be broken and fixed. */
export async function startReceiver() {
  const arrivals: Arrival[] = []
  let secret = ''
  let isBroken = false

  async function receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = await verify(request, Buffer.concat(chunks))
    const status = event === undefined ? 401 : isBroken ? 500 : 204
    arrivals.push({ deliveryId: String(request.headers['x-hub-delivery-id']), event, status })
    return status
  }

  async function verify({ headers }: IncomingMessage, body: Buffer): Promise<HubEvent | undefined> {
    try {
      return await verifyWebhook(secret, headers, body)
    } catch (err) {
      if (err instanceof HubSignatureError) return undefined
      throw err
    }
  }

  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const destination = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

  return {
    arrivals,
    destination,
    url: `http://${destination}/hook`,
    trust(nextSecret: string): void {
      secret = nextSecret
    },
    break(): void {
      isBroken = true
    },
    fix(): void {
      isBroken = false
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
