import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { ResponseCheck } from './client.ts'

type Responses = Record<string, { content?: { 'application/json'?: { schema: object } } }>
type Operation = { pattern: RegExp; method: string; responses: Responses }

const AJV = new Ajv2020({ strict: false })
;(formats as unknown as (ajv: Ajv2020) => void)(AJV)

/** Hubs with the same routes have the same document, so a process describes and compiles each once. */
const operationsByRoutes = new Map<string, Operation[]>()
const validators = new WeakMap<object, ValidateFunction>()

/** Checks that a response matches the OpenAPI document. Paths that it does not describe pass. */
export function createResponseCheck(app: FastifyInstance): ResponseCheck {
  let operations: Operation[] | undefined

  return (method, path, { status, body }) => {
    operations ??= describeOperations(app)
    const [bare] = path.split('?')
    const operation = operations.find((op) => op.method === method && op.pattern.test(bare ?? ''))
    if (!operation) return
    const described = operation.responses[status] ?? (status >= 400 && operation.responses.default)
    assert.ok(described, `${method} ${path} answered ${status}, which openapi.json does not describe`)
    const schema = described.content?.['application/json']?.schema
    if (!schema) return
    const validate = findValidator(schema)
    const isValid = validate(body)
    const problem = AJV.errorsText(validate.errors)
    assert.ok(isValid, `${method} ${path} answered what openapi.json does not describe: ${problem}`)
  }
}

function findValidator(schema: object): ValidateFunction {
  const validate = validators.get(schema) ?? AJV.compile(schema)
  validators.set(schema, validate)
  return validate
}

function describeOperations(app: FastifyInstance): Operation[] {
  if (!app.swagger) return []
  const routes = app.printRoutes({ commonPrefix: false })
  const operations = operationsByRoutes.get(routes) ?? parseOperations(app)
  operationsByRoutes.set(routes, operations)
  return operations
}

function parseOperations(app: FastifyInstance): Operation[] {
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
