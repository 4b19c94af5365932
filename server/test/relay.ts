import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Answer, Client } from './client.ts'
import { startHub } from './hub.ts'
import { createChannel } from './hub-with-upstream.ts'
import { startUpstream } from './upstream.ts'

/** A request of the hub to the upstream, which the test forwards or responds to. */
export type Caught = {
  request: IncomingMessage
  /** Forwards it to the upstream. */
  proceed(): void
  /** Responds instead of the upstream, with these bytes. */
  answer(status: number, json: string): void
  /** The same for anything that is not JSON. */
  respond(status: number, headers: Record<string, string>, body: string): void
  /** For a response in parts. */
  response: ServerResponse
  /** Resolves when the hub aborts the request before its end. */
  aborted: Promise<void>
}

/** A proxy between the hub and the simulator, for responses, pauses and disconnects that the simulator cannot produce. */
export async function startRelay(t: TestContext, target: () => string) {
  const traps: { path: string; spring: (caught: Caught) => void }[] = []

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request
    const onward = send(new URL(url ?? '/', target()), { method: method ?? 'GET', headers, agent: false })
    onward.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)))
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  }

  const server = createServer((request, response) => {
    const index = traps.findIndex(({ path }) => request.url?.includes(path))
    const [trap] = index < 0 ? [] : traps.splice(index, 1)
    if (!trap) return forward(request, response)
    const aborted = new Promise<void>((resolve) => {
      request.once('close', () => {
        if (!request.complete) resolve()
      })
    })
    trap.spring({
      request,
      aborted,
      proceed: () => forward(request, response),
      answer: (status, json) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(json)
      },
      respond: (status, headers, body) => {
        response.writeHead(status, headers).end(body)
      },
      response,
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,

    /** Catches the next request whose path contains this text. */
    catch(path: string): Promise<Caught> {
      return new Promise((spring) => traps.push({ path, spring }))
    },

    /** Catches the next one with this method, and forwards those before it. */
    async catchMethod(method: string, path: string): Promise<Caught> {
      for (;;) {
        const caught = await this.catch(path)
        if (caught.request.method === method) return caught
        caught.proceed()
      }
    },
  }
}

/** A hub that reaches its upstream through a relay, with a connected channel. */
export async function startRelayed(t: TestContext, options: Parameters<typeof startHub>[1] = {}) {
  const up = await startUpstream(t)
  const relay = await startRelay(t, () => up.simulator.url)
  const hub = await startHub(t, { simulator: { ...up.simulator, url: relay.url }, ...options })
  const acme = await hub.organization()
  const number = await up.number()
  const { id } = await createChannel(acme)
  assert.equal((await connectWithToken(acme, id, number)).status, 200)
  return { up, relay, hub, acme, number, id }
}

/** Connects a channel with an access token, without a link. */
export function connectWithToken(
  owner: Client,
  id: string,
  number: { wabaId: string; phoneNumberId: string; accessToken: string },
  more: { pin?: string } = {},
): Promise<Answer> {
  const { accessToken: access_token, wabaId: waba_id, phoneNumberId: phone_number_id } = number
  return owner.post(`/api/v1/channels/${id}/connection`, { access_token, waba_id, phone_number_id, ...more })
}
