import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import { controlApi } from '../control/serve.ts'
import { serveGraph } from '../graph/http/serve.ts'
import type { Json } from '../json.ts'
import { paymentsApi } from '../payments/http/serve.ts'
import { paymentPages } from '../payments/pages/serve.ts'
import type { Simulation } from '../simulation.ts'
import { readUrl } from './requests.ts'

/** Longer than any path that Node accepts. */
const PARAM_LENGTH_MAX = 64 * 1024

const simulations = new AsyncLocalStorage<Simulation>()
let app: Promise<FastifyInstance> | undefined

/** One set of routes serves all simulators of the process: to build it takes longer than to start a simulator. */
function openApp(): Promise<FastifyInstance> {
  app ??= createApp()
  return app
}

export async function serve(simulation: Simulation, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { routing } = await openApp()
  simulations.run(simulation, () => routing(request, response))
}

/** Serves a request without a connection. */
export async function inject(simulation: Simulation, method: string, url: string, body: Json) {
  const { inject } = await openApp()
  const payload = JSON.stringify(body)
  // The request starts when it is awaited.
  return simulations.run(simulation, async () => await inject({ method: method as 'GET', url, payload }))
}

async function createApp(): Promise<FastifyInstance> {
  const app = fastify({
    exposeHeadRoutes: false,
    rewriteUrl: escapeMalformed,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
  })
  // Each API reads bodies itself, as what a size or a content type means to it comes after the token and the path.
  for (const method of app.supportedMethods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.setErrorHandler((err, request, reply) => {
    // A disconnected client needs no response; any other error is a defect of the simulator.
    if (reply.raw.destroyed) return reply.hijack()
    const reason = err instanceof Error ? (err.stack ?? err.message) : String(err)
    process.stderr.write(`simulator: ${request.method} ${readUrl(request).pathname}: ${reason}\n`)
    return reply.code(500).type('text/plain').send('The simulator failed; see its log.')
  })
  const current = () => simulations.getStore() as Simulation
  app.register(controlApi(current), { prefix: '/_sim' })
  app.register(paymentsApi(current), { prefix: '/v1' })
  app.register(paymentPages(current))
  // Any other path is a node of the Graph API, whose endpoints depend on the kind of the node.
  app.setNotFoundHandler((request, reply) => serveGraph(current(), request, reply))
  await app.ready()
  return app
}

/** A malformed escape is part of an id that does not exist. The router would refuse it by itself. */
function escapeMalformed({ url = '/' }: IncomingMessage): string {
  try {
    decodeURI(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}
