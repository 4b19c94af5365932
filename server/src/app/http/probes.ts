import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Readiness } from '../../kernel/db/readiness.ts'
import { AppError } from '../../kernel/errors.ts'
import { dataOf } from '../../kernel/http/schemas.ts'

const tags = ['Probes']
export const Healthy = dataOf({ status: Type.Literal('ok') })
export const Ready = dataOf({ status: Type.Literal('ready') })

/** `/health` is the liveness probe and `/ready` the readiness probe. Neither needs a credential. */
export function probeRoutes(readiness: Readiness, isDraining: () => boolean): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/health',
      { schema: { operationId: 'health', summary: 'Is the process alive?', tags, response: { 200: Healthy } } },
      async () => ({ data: { status: 'ok' as const } }),
    )

    app.get(
      '/ready',
      { schema: { operationId: 'ready', summary: 'Should it be sent work?', tags, response: { 200: Ready } } },
      async () => {
        if (isDraining()) throw new AppError('NOT_READY', 'The hub is stopping.')
        const problem = await readiness.findProblem()
        if (problem) throw new AppError('NOT_READY', problem)
        return { data: { status: 'ready' as const } }
      },
    )
  }
}
