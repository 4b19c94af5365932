import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'

const PROBES = new Set(['/health', '/ready', '/metrics'])

export type Drain = ReturnType<typeof createDrain>

/**
 * The way out of service. From `begin` on the hub says that it is not ready and
 * refuses new requests, while those already open are answered; `settled`
 * resolves when the last of them is done.
 */
export function createDrain() {
  let draining = false
  let open = 0
  let settle: () => void = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  return {
    isDraining: () => draining,

    begin(): void {
      draining = true
      if (open === 0) settle()
    },

    settled,

    enter(): void {
      open += 1
    },

    leave(): void {
      open -= 1
      if (draining && open === 0) settle()
    },
  }
}

/**
 * A request is open until its answer was made and its connection is done with
 * it: a client that gives up does not end the work that it began.
 */
export function installDrain(app: FastifyInstance, drain: Drain): void {
  const unanswered = new WeakSet<FastifyRequest>()

  app.addHook('onRequest', async (request, reply) => {
    if (PROBES.has(request.routeOptions.url ?? '')) return
    if (drain.isDraining()) {
      reply.header('Connection', 'close')
      throw new AppError('NOT_READY', 'The hub is stopping. Try again.', { retryAfterSeconds: 1 })
    }
    drain.enter()
    unanswered.add(request)
    reply.raw.once('close', () => {
      if (!unanswered.has(request)) drain.leave()
    })
  })
  app.addHook('onSend', async (request, reply) => {
    if (unanswered.delete(request) && reply.raw.closed) drain.leave()
  })
}
