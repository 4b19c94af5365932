import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ping } from '../../kernel/db/ping.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { AppError } from '../../kernel/errors.ts'
import { dataOf } from '../../kernel/http/schemas.ts'

const tags = ['Probes']
const Healthy = dataOf({ status: Type.Literal('ok') })
const Ready = dataOf({ status: Type.Literal('ready') })

/** `/health` is the liveness probe and `/ready` the readiness probe. Neither needs a credential. */
export function probeRoutes(sql: Pool, isDraining: () => boolean): FastifyPluginAsyncTypebox {
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
        if (!(await ping(sql))) throw new AppError('NOT_READY', 'The hub cannot reach its database.')
        return { data: { status: 'ready' as const } }
      },
    )
  }
}
