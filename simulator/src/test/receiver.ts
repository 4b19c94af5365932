import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Post {
  headers: IncomingHttpHeaders
  raw: Buffer
  body: Webhook
}

export interface Webhook {
  object: string
  entry: { id: string; time?: number; changes: { field: string; value: Record<string, unknown> }[] }[]
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver that answers the challenge, records every post, and responds with configured statuses. */
export async function startReceiver(verifyToken: string) {
  const posts: Post[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://receiver')
    if (request.method === 'GET') {
      const isRight = url.searchParams.get('hub.verify_token') === verifyToken
      response.writeHead(isRight ? 200 : 403).end(isRight ? url.searchParams.get('hub.challenge') : 'no')
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    posts.push({ headers: request.headers, raw, body: parsed(raw) })
    response.writeHead(answers.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/upstream`

  return {
    url,
    posts,
    /** The statuses of the next responses; 200 after them. */
    answers,
    changes: () => posts.flatMap((post) => (post.body.entry ?? []).flatMap((entry) => entry.changes)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  }
}

export function computeSignature(raw: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
}

function parsed(raw: Buffer): Webhook {
  try {
    return JSON.parse(raw.toString()) as Webhook
  } catch {
    return { object: '', entry: [] }
  }
}
