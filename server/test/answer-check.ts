import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { Answer } from './client.ts'

export type AnswerCheck = (method: string, path: string, answer: Answer) => void

type Responses = Record<string, { content?: { 'application/json'?: { schema: object } } }>
type Operation = { pattern: RegExp; method: string; responses: Responses }

/** A check that an answer is one that the OpenAPI document promises. Paths it does not describe pass. */
export function createAnswerCheck(app: FastifyInstance): AnswerCheck {
  const ajv = new Ajv2020({ strict: false })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  const operations = operationsOf(app)

  return (method, path, answer) => {
    const [bare] = path.split('?')
    const operation = operations.find((op) => op.method === method && op.pattern.test(bare ?? ''))
    if (!operation) return
    const described = operation.responses[answer.status] ?? (answer.status >= 400 && operation.responses.default)
    assert.ok(described, `${method} ${path} answered ${answer.status}, which openapi.json does not describe`)
    const schema = described.content?.['application/json']?.schema
    if (!schema) return
    const isValid = ajv.validate(schema, answer.body)
    assert.ok(isValid, `${method} ${path} answered what openapi.json does not describe: ${ajv.errorsText()}`)
  }
}

function operationsOf(app: FastifyInstance): Operation[] {
  if (!app.swagger) return []
  const { paths = {} } = app.swagger() as unknown as {
    paths?: Record<string, Record<string, { responses: Responses }>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      responses,
    })),
  )
}
