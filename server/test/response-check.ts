import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { ResponseCheck } from './client.ts'

type Response = { $ref?: string; content?: Record<string, { schema: object }> }
type Document = {
  paths?: Record<string, Record<string, { responses: Record<string, Response> }>>
  components?: { responses?: Record<string, Response> }
}
/** `responses` has the schema of each status as text; the schema of a file is undefined. */
type Operation = { pattern: RegExp; method: string; responses: Map<number, string | undefined> }

/** Stands for the statuses that an operation does not list. */
const ANY_OTHER = 0
const RESPONSES = '#/components/responses/'
const AJV = new Ajv2020({ strict: false, validateSchema: false, formats: { iri: true, binary: true } })
;(formats as unknown as (ajv: Ajv2020) => void)(AJV)

/** Hubs with the same routes have the same document, so a process describes and compiles each once. */
const operationsByRoutes = new Map<string, Operation[]>()
const validators = new Map<string, ValidateFunction>()

/**
 * Checks that a response is one that the OpenAPI document lists for its operation: its status, its error code and its
 * body. Paths that the document does not describe pass.
 */
export function createResponseCheck(app: FastifyInstance): ResponseCheck {
  let operations: Operation[] | undefined

  return (method, path, { status, body }) => {
    operations ??= describeOperations(app)
    const [bare] = path.split('?')
    const operation = operations.find((op) => op.method === method && op.pattern.test(bare ?? ''))
    if (!operation) return
    const what = `${method} ${path} answered ${status} ${body?.error?.code ?? ''}`
    const described = operation.responses.has(status) ? status : ANY_OTHER
    assert.ok(operation.responses.has(described), `${what}, which openapi.json does not describe`)
    const schema = operation.responses.get(described)
    if (schema === undefined || body === undefined) return
    const validate = findValidator(schema)
    const isValid = validate(body)
    const problem = AJV.errorsText(validate.errors)
    assert.ok(isValid, `${what} and a body that openapi.json does not describe: ${problem}`)
  }
}

function findValidator(schema: string): ValidateFunction {
  const validate = validators.get(schema) ?? AJV.compile(JSON.parse(schema))
  validators.set(schema, validate)
  return validate
}

function describeOperations(app: FastifyInstance): Operation[] {
  if (!app.swagger) return []
  const routes = app.printRoutes({ commonPrefix: false })
  const operations = operationsByRoutes.get(routes) ?? parseOperations(app.swagger() as unknown as Document)
  operationsByRoutes.set(routes, operations)
  return operations
}

/** In the order of the document, but the facade's wildcard last: it matches every path of the facade. */
function parseOperations(document: Document): Operation[] {
  const key = `document-${operationsByRoutes.size}`
  AJV.addSchema(document, key)
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      pattern: toPattern(path),
      method: method.toUpperCase(),
      responses: new Map(
        Object.entries(responses).map(([status, response]) => [
          status === 'default' ? ANY_OTHER : Number(status),
          findSchema(response),
        ]),
      ),
    })),
  )
  return operations.sort((a, b) => Number(isWildcard(a)) - Number(isWildcard(b)))

  function findSchema({ $ref = '', content }: Response): string | undefined {
    const shared = document.components?.responses?.[$ref.replace(RESPONSES, '')]
    const schema = (shared?.content ?? content)?.['application/json']?.schema
    // The references of a schema are to the document.
    return schema && JSON.stringify(schema).replaceAll('"#/', `"${key}#/`)
  }
}

function isWildcard({ pattern }: Operation): boolean {
  return pattern.source.includes('.+')
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace('{resourcePath}', '.+').replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
