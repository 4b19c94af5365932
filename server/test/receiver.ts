import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { reuseServer } from './reused-server.ts'

/** A request as it came off the wire. */
export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }

export type Reply = { status: number; headers?: Record<string, string>; body?: string }

/** The response: a status, with each usual kind of body in turn, or a function of the request. */
export type Answer = number | ((received: Received) => number | Reply)

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/**
 * A webhook receiver: a real HTTP server that records every request and by default
 * responds in the usual ways in turn: 200 without a body, 204, text, JSON, chunked. A hub needs `destination` in WEBHOOK_ALLOWED_DESTINATIONS.
 */
export async function startReceiver(t: TestContext) {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let answer: Answer | undefined
  let answered = 0
  let isHeld = (_received: Received): boolean => false
  const held = new Set<() => void>()
  let heldMax = 0

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(chunks) }
    received.push(one)
    for (const { resolve } of waiting.filter(({ count }) => count <= received.length)) resolve()
    const reply = () => {
      const chosen = typeof answer === 'function' ? answer(one) : answer
      if (typeof chosen === 'object') respond(response, chosen)
      else respondInTurn(response, answered++, chosen)
    }
    if (!isHeld(one)) return reply()
    held.add(reply)
    heldMax = Math.max(heldMax, held.size)
    response.once('close', () => held.delete(reply))
  }

  const server = await reuseServer(t, receive)
  const destination = `127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    destination,
    url: `http://${destination}`,

    /** Every request, in the order in which their bodies ended. */
    received,

    answer(next: Answer): void {
      answer = next
    },

    /** Holds the responses to all or the matching requests from now on, until `letGo`. */
    hold(matches: (received: Received) => boolean = () => true): void {
      isHeld = matches
    },

    /** Sends the held responses, and holds no more. */
    letGo(): void {
      isHeld = () => false
      for (const reply of held) reply()
      held.clear()
    },

    /** The largest number of requests that waited for their answers at one time. */
    countHeldMax: () => heldMax,

    /** Waits until `count` requests have arrived in total. */
    async until(count: number): Promise<void> {
      if (received.length >= count) return
      await new Promise<void>((resolve) => waiting.push({ count, resolve }))
    },
  }
}

function respond(response: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  response.writeHead(status, headers).end(body)
}

const USUAL_REPLIES: Reply[] = [
  { status: 200 },
  { status: 204 },
  { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
  { status: 200, headers: { 'content-type': 'application/json' }, body: '{"received":true}' },
  { status: 200, headers: { 'transfer-encoding': 'chunked' }, body: 'EVENT_RECEIVED' },
]

function respondInTurn(response: ServerResponse, turn: number, status: number | undefined): void {
  const reply = USUAL_REPLIES[turn % USUAL_REPLIES.length] as Reply
  respond(response, { ...reply, ...(status !== undefined && { status }) })
}
