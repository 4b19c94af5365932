import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { addSyncHook } from '../../kernel/http/sync-hook.ts'

const PROBES = new Set(['/health', '/ready', '/metrics'])

export type Drain = ReturnType<typeof createDrain>

/**
 * Takes the hub out of service. After `begin` the hub is not ready, and still
 * serves requests: a load balancer needs a moment to notice. After `refuse` it
 * refuses new requests, while open requests are finished; `settled` resolves when
 * the last of them is done.
 */
export function createDrain() {
  let draining = false
  let refusing = false
  let open = 0
  let settle: () => void = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  return {
    isDraining: () => draining,
    isRefusing: () => refusing,

    begin(): void {
      draining = true
    },

    refuse(): void {
      refusing = true
      if (open === 0) settle()
    },

    settled,

    enter(): void {
      open += 1
    },

    leave(): void {
      open -= 1
      if (refusing && open === 0) settle()
    },
  }
}

/**
 * A request is open until its response was created and its connection has sent
 * or closed it: a client that disconnects does not end the work that it started.
 */
export function installDrain(app: FastifyInstance, drain: Drain): void {
  const unanswered = new WeakSet<FastifyRequest>()

  addSyncHook(app, 'onRequest', (request, reply) => {
    if (PROBES.has(request.routeOptions.url ?? '')) return
    if (drain.isRefusing()) {
      reply.header('Connection', 'close')
      throw new AppError('NOT_READY', 'stopping')
    }
    drain.enter()
    unanswered.add(request)
    reply.raw.once('close', () => {
      if (!unanswered.has(request)) drain.leave()
    })
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (unanswered.delete(request) && reply.raw.closed) drain.leave()
    // The next request of the client, or of its load balancer, needs a new connection, which may go to another process.
    if (drain.isDraining()) reply.header('Connection', 'close')
    done(null, payload)
  })
}
