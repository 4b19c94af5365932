import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { isObject } from '../src/kernel/json/values.ts'
import type { ResponseCheck } from './client.ts'

type Response = { $ref?: string; content?: Record<string, { schema: object }> }
type Codes = Record<string, { details?: object; reasons?: string[] }>
type Document = {
  paths?: Record<
    string,
    Record<string, { responses: Record<string, Response>; 'x-error-codes'?: Record<string, string[]> }>
  >
  components?: { responses?: Record<string, Response>; schemas?: { ErrorEnvelope?: { 'x-error-codes'?: Codes } } }
}
/**
 * `responses` has the schema of each status as text; the schema of a file is undefined. `details` has the schema of the
 * details of each code that the status can have.
 */
type Operation = {
  pattern: RegExp
  method: string
  responses: Map<number, string | undefined>
  details: Map<number, Map<string, string>>
  /** The reasons of each code. */
  reasons: Map<string, readonly string[]>
}

type Failure = { code?: string; details?: { reason?: string; parameters?: unknown } }

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
    checkCode(operation, status, body as { error?: Failure }, what)
  }
}

/** The code is one of the operation's for this status, and the details and the reason are the code's. */
function checkCode({ details, reasons }: Operation, status: number, body: { error?: Failure }, what: string): void {
  const codes = details.get(status)
  if (!codes) return
  const schema = codes.get(body.error?.code ?? '')
  assert.ok(schema !== undefined, `${what}, a code that openapi.json does not list for the status`)
  const validate = findValidator(schema)
  const given = body.error?.details
  const isValid = validate(given)
  assert.ok(isValid, `${what} and details that openapi.json does not describe: ${AJV.errorsText(validate.errors)}`)
  const known = reasons.get(body.error?.code ?? '') ?? []
  assert.ok(
    known.includes(given?.reason ?? ''),
    `${what} and a reason that openapi.json does not list: ${given?.reason}`,
  )
  assert.ok(isObject(given?.parameters), `${what} without parameters`)
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
  AJV.addSchema(dropPassedOn(document), key)
  const known = document.components?.schemas?.ErrorEnvelope?.['x-error-codes'] ?? {}
  const reasons = new Map(Object.entries(known).map(([code, { reasons: list = [] }]) => [code, list]))
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses, 'x-error-codes': codes = {} }]) => ({
      pattern: toPattern(path),
      method: method.toUpperCase(),
      responses: new Map(
        Object.entries(responses).map(([status, response]) => [
          status === 'default' ? ANY_OTHER : Number(status),
          findSchema(response),
        ]),
      ),
      details: new Map(Object.entries(codes).map(([status, group]) => [Number(status), findDetails(group)])),
      reasons,
    })),
  )
  return operations.sort((a, b) => Number(isWildcard(a)) - Number(isWildcard(b)))

  function findDetails(codes: string[]): Map<string, string> {
    return new Map(codes.map((code) => [code, JSON.stringify(known[code]?.details ?? { type: 'object' })]))
  }

  function findSchema({ $ref = '', content }: Response): string | undefined {
    const shared = document.components?.responses?.[$ref.replace(RESPONSES, '')]
    const schema = (shared?.content ?? content)?.['application/json']?.schema
    // The references of a schema are to the document.
    return schema && JSON.stringify(schema).replaceAll('"#/', `"${key}#/`)
  }
}

/** The document describes what the upstream usually sends, and the hub passes on any. */
function dropPassedOn(document: Document): Document {
  return JSON.parse(JSON.stringify(document, (_, value) => (value?.['x-passed-on'] ? {} : value)))
}

function isWildcard({ pattern }: Operation): boolean {
  return pattern.source.includes('.+')
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace('{resourcePath}', '.+').replace(/\{[^}]+\}/g, '[^/]+')}$`)
}
