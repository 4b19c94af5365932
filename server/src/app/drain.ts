import type { FastifyInstance } from 'fastify'
import { AppError } from '../kernel/errors.ts'

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

export function installDrain(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', async (request, reply) => {
    if (PROBES.has(request.routeOptions.url ?? '')) return
    if (drain.isDraining()) {
      reply.header('Connection', 'close')
      throw new AppError('NOT_READY', 'The hub is stopping. Try again.', { retryAfterSeconds: 1 })
    }
    drain.enter()
    // 'close' comes once however the answer ends: sent, refused or abandoned by the client.
    reply.raw.once('close', () => drain.leave())
  })
}
