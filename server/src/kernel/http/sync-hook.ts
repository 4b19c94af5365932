import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type HookName = 'onRequest' | 'preValidation' | 'preHandler' | 'onResponse'

/** Adds a hook that awaits nothing. A request passes a dozen hooks, and a promise for each would take longer than they do. */
export function addSyncHook(
  app: FastifyInstance,
  name: HookName,
  work: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  // The four have the same signature, but not the same overload.
  app.addHook(name as 'onRequest', (request, reply, done) => {
    work(request, reply)
    done()
  })
}
