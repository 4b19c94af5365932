import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'

type Place = { server: Server; handle: RequestListener | undefined; open: Set<ServerResponse> }

/** In the order of their opening: a test gets the oldest that is free, so that a hub that may call it can be shared. */
const places: Place[] = []

/**
 * An HTTP server on loopback for one test. Its port and its idle connections stay for later tests; the process exits all
 * the same.
 */
export async function reuseServer(t: TestContext, handle: RequestListener): Promise<Server> {
  const place = places.find((one) => !one.handle) ?? createPlace()
  place.handle = handle
  place.server.ref()
  if (!place.server.listening) await once(place.server, 'listening')
  t.after(() => {
    place.handle = undefined
    place.server.unref()
    for (const response of place.open) response.destroy()
  })
  return place.server
}

function createPlace(): Place {
  const server = createServer((request, response) => {
    if (!place.handle) return void response.destroy()
    place.open.add(response)
    response.once('close', () => place.open.delete(response))
    place.handle(request, response)
  })
  const place: Place = { server, handle: undefined, open: new Set() }
  places.push(place)
  // A connection must not end just when a later test sends on it.
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => socket.unref())
  server.listen(0, '127.0.0.1')
  return place
}
