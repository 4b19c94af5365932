import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Hold } from '../../domains/hold/service.ts'
import type { Readiness } from '../../kernel/db/readiness.ts'
import { AppError } from '../../kernel/errors.ts'
import { sendError } from '../../kernel/http/error-handler.ts'
import { dataOf, oneOf } from '../../kernel/http/schemas.ts'

const tags = ['Probes']
export const Healthy = dataOf({ status: Type.Literal('ok') })
export const Ready = dataOf({ status: oneOf(['ready', 'held']) })

type Probed = { readiness: Pick<Readiness, 'findProblem'>; hold: Pick<Hold, 'isHeld'> }

/** `/health` is the liveness probe and `/ready` the readiness probe. Neither needs a credential. */
export function probeRoutes({ readiness, hold }: Probed, isDraining: () => boolean): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/health',
      { schema: { operationId: 'health', summary: 'Is the process alive?', tags, response: { 200: Healthy } } },
      async () => ({ data: { status: 'ok' as const } }),
    )

    app.get(
      '/ready',
      { schema: { operationId: 'ready', summary: 'Should it be sent work?', tags, response: { 200: Ready } } },
      async (request, reply) => {
        // Not thrown, because a load balancer asks every second: each would be a line of the log beside that of the outage.
        const refuse = (problem: AppError) => sendError(request, reply, problem)
        if (isDraining()) return refuse(new AppError('NOT_READY', 'probe_stopping'))
        const problem = await readiness.findProblem()
        // A hub on hold takes callbacks, so that a load balancer must not leave it out.
        if (problem === undefined) return { data: { status: hold.isHeld() ? ('held' as const) : ('ready' as const) } }
        app.reportOutage(problem)
        return refuse(problem)
      },
    )
  }
}
