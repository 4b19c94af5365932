import Fastify from 'fastify'
import { AppError, type Issue } from '../../../../kernel/errors.ts'
import { installValidation } from '../../../../kernel/http/validation/validation.ts'
import { MessageBody } from '../message-body.ts'
import { findBrokenRules } from '../rules.ts'

/** A server that responds with the issues of a body, and with the body after validation. */
const app = Fastify()
installValidation(app)
app.post<{ Body: MessageBody }>('/', { schema: { body: MessageBody } }, ({ body }, reply) => {
  return reply.send({ issues: findBrokenRules(body), body })
})
app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof AppError)) throw error
  return reply.send({ issues: error.details?.issues })
})

export async function judge(body: unknown): Promise<{ issues: Issue[]; body?: unknown }> {
  const answer = await app.inject({ method: 'POST', url: '/', body: Object(body) })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}

const validate = app.validatorCompiler?.({ schema: MessageBody, method: 'POST', url: '/', httpPart: 'body' })

/** Returns true if the schema alone, as the server applies it, lets the body through. */
export function passesSchema(body: unknown): body is MessageBody {
  const result = validate?.(body) as unknown as { error?: unknown } | undefined
  return result !== undefined && result.error === undefined
}
