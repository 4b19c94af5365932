import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describeWhole } from '../../../test/api-document.ts'
import { startHub } from '../../../test/hub.ts'
import { guardedRoutes, liveRoutes } from '../../../test/live-routes.ts'
import { createResponseCheck } from '../../../test/response-check.ts'
import { ALLOWLIST } from '../../domains/facade/allowlist/allowlist.ts'
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors.ts'
import { ACCESS_RULES, type Access } from '../http/access-rules.ts'
import { describeApi } from './describe-api.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const BODILESS = ['get', 'delete']
/** It names the people whom the number unblocks, as the upstream's own call does. */
const DELETED_BY_BODY = 'DELETE /api/v1/channels/:id/blocked'

type Schema = {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean
  examples?: unknown[]
}
type Content = { content?: Record<string, { schema: Schema }> }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content & { $ref?: string; description?: string }>
  'x-error-codes'?: Record<string, string[]>
}
type Described = { row: string; path: string; method: string; operation: Operation }
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Content>
    securitySchemes: Record<string, object>
  }
}

const texts = await describeApi()
const document = await describeWhole<Document>()
const { schemas } = document.components

/** All paths of a mount of the facade have the row of its wildcard. */
const operations: Described[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    row: `${method.toUpperCase()} ${path.replace(/^\/(upstream|graph)\/.*/, '/$1/*').replace(/\{([^}]+)\}/g, ':$1')}`,
    path,
    method,
    operation,
  })),
)
const routes = operations.filter(({ row }) => !/\/(upstream|graph)\//.test(row))
const webhooks = Object.values(document.webhooks).flatMap((methods) => Object.values(methods))

function findOperation(method: string, path: string): Operation {
  const operation = document.paths[path]?.[method]
  assert.ok(operation, `${method} ${path}`)
  return operation
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { iri: URL.canParse, binary: true } })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv.addSchema(document, 'document')
}

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {})
}

/** The codes that an operation lists for a status. */
function listCodes({ 'x-error-codes': codes = {} }: Operation, status: number): string[] {
  return codes[status] ?? []
}

/** The credentials of an access rule, by their names in the document. That a person may call it too is not in it. */
function describeSecurity(access: Access | undefined): string[] {
  if (!access || 'public' in access || 'callback' in access) return []
  if ('session' in access) return ['session']
  if ('facade' in access) return ['channel_token']
  return access.channelToken === undefined ? ['api_key'] : ['api_key', 'channel_token']
}

test('the committed documents are the generated ones', async () => {
  for (const [name, text] of Object.entries(texts)) {
    const committed = await readFile(join(ROOT, name), 'utf8')

    assert.equal(committed, text, 'run: npm run generate')
  }
})

test('the public document has no route of the console, and no component that it does not refer to', {
  rules: ['openapi.public-and-console-are-separate'],
}, () => {
  for (const [name, text] of Object.entries(texts)) {
    const { paths, components }: Document = JSON.parse(text)
    const isConsole = name === 'openapi-console.json'

    assert.ok(Object.keys(paths).length > 20)
    for (const path of Object.keys(paths)) assert.equal(path.startsWith('/console/'), isConsole, path)
    assert.equal(Object.keys(components.securitySchemes).includes('session'), isConsole)
    assert.equal(text.includes('X-Hub-Organization'), isConsole)
    for (const kind of ['schemas', 'responses'] as const) {
      for (const one of Object.keys(components[kind])) assert.ok(text.includes(`"#/components/${kind}/${one}"`), one)
    }
  }
})

test('the committed documents are served without a credential', {
  rules: ['api.openapi-and-docs-are-public', 'openapi.version-is-1-0-0', 'openapi.public-and-console-are-separate'],
}, async (t) => {
  const { anonymous } = await startHub(t)

  for (const [name, text] of Object.entries(texts)) {
    const res = await anonymous.get(`/${name}`)

    assert.equal(res.status, 200)
    assert.equal(res.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(res.body.openapi, '3.1.0')
    assert.equal(res.body.info.version, '1.0.0')
    assert.deepEqual(res.body, JSON.parse(text))
  }
})

test('every path is under /api/v1, except those of the facade, the console and the probes', {
  rules: ['api.paths-begin-with-api-v1'],
}, async (t) => {
  const { app } = await startHub(t)
  const isElsewhere = (route: string) => /^[A-Z]+ (\/(upstream|graph|console)\/|\/(health|ready)$)/.test(route)
  const takesKey = (route: string) => describeSecurity(ACCESS_RULES[route]).includes('api_key')

  const unversioned = operations.map(({ row }) => row).filter((row) => !/^[A-Z]+ \/api\/v1\//.test(row))
  const withKey = liveRoutes(app).filter(takesKey)

  assert.deepEqual(
    unversioned.filter((row) => !isElsewhere(row)),
    [],
  )
  assert.ok(withKey.length > 30)
  for (const route of withKey) assert.match(route, /^[A-Z]+ \/api\/v1\//)
})

test('the document describes every guarded route, and no other', async (t) => {
  const { app } = await startHub(t)
  const probes = ['GET /health', 'GET /ready']

  const described = [...new Set(operations.map(({ row }) => row))].sort()

  assert.deepEqual(described, [...guardedRoutes(app), ...probes].sort())
})

test('every operation has a unique id, a summary and a tag', () => {
  const names = operations.map(({ operation }) => operation.operationId)

  assert.equal(new Set(names).size, operations.length)
  for (const { row, operation } of operations) {
    assert.match(operation.operationId ?? '', /^[a-z][A-Za-z]+$/, row)
    assert.ok(operation.summary, row)
    assert.equal(operation.tags?.length, 1, row)
    assert.equal(operation.tags?.[0] === 'Console', row.includes(' /console/'), row)
  }
})

/** The descriptions of responses without a file, as HTTP names their status. */
const STATUS_PHRASES = ['OK', 'Created', 'Accepted']

test('every description of both documents is a sentence', { rules: ['openapi.operations-are-described'] }, () => {
  const fragments: string[] = []
  function walk(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null) return
    const { description } = value as { description?: unknown }
    // The codes of an operation are a list below its description.
    const text = typeof description === 'string' ? description.replace(/(?:^|\n\n)Errors:[\s\S]*$/, '') : ''
    const isSentence = text === '' || STATUS_PHRASES.includes(text) || /^[A-Z0-9`'"][\s\S]*\.$/.test(text)
    if (!isSentence) fragments.push(`${place}: ${text}`)
    for (const [key, member] of Object.entries(value)) if (key !== 'examples') walk(member, `${place}/${key}`)
  }

  for (const [name, text] of Object.entries(texts)) walk(JSON.parse(text), name)

  assert.deepEqual(fragments, [])
})

test('every operation of the public API has a description, and a tag that has one', {
  rules: ['openapi.operations-are-described'],
}, () => {
  const { paths, tags }: Document & { tags: { name: string; description: string }[] } = JSON.parse(
    texts['openapi.json'],
  )
  const known = tags.map(({ name }) => name)

  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    assert.ok(/^[\s\S]+\.(?:\n\nErrors:|$)/.test(operation.description ?? ''), operation.operationId)
    assert.ok(known.includes(operation.tags?.[0] ?? ''), `TAGS has no ${operation.tags?.[0]}`)
  }
  for (const { description } of tags) assert.match(description, /\.$/)
})

test('every operation has the credentials of its access rule', () => {
  for (const { row, operation } of operations) {
    const names = operation.security?.map((scheme) => Object.keys(scheme).join())

    assert.deepEqual(names, describeSecurity(ACCESS_RULES[row]), row)
    for (const name of names ?? []) assert.ok(document.components.securitySchemes[name], name)
  }
})

test('every operation lists its successful response and each failure by status and code', {
  rules: ['openapi.lists-every-status-and-code'],
}, () => {
  for (const { row, operation } of operations) {
    const statuses = Object.keys(operation.responses)

    // A sign-up is finished at once, or by a link.
    const successes = operation.operationId === 'signUp' ? 2 : 1
    assert.equal(statuses.filter((status) => status.startsWith('2') && status !== '206').length, successes, row)
    // An error of the upstream keeps its status there.
    assert.equal(statuses.includes('default'), row.includes('/graph/'), row)
    for (const status of statuses.filter((name) => /^[45]/.test(name))) {
      assert.ok(listCodes(operation, Number(status)).length > 0 || row.includes('/graph/'), `${row} ${status}`)
      for (const code of listCodes(operation, Number(status))) {
        assert.equal(ERROR_STATUS[code as ErrorCode], Number(status), `${row} ${code}`)
      }
    }
  }
})

test('every error code is listed by an operation, except that of a method without an operation', () => {
  const names = operations.flatMap(({ operation }) => Object.values(operation['x-error-codes'] ?? {}).flat())

  assert.deepEqual(new Set([...names, 'METHOD_NOT_ALLOWED']), new Set(Object.keys(ERROR_STATUS)))
})

test('an operation lists the codes of its access rule, of its limits, of its body and of its handler', {
  rules: ['openapi.lists-every-status-and-code'],
}, () => {
  const send = findOperation('post', '/api/v1/channels/{id}/messages')
  const signUp = findOperation('post', '/console/sign-up')

  assert.deepEqual(listCodes(send, 400), [
    'CHANNEL_NOT_CONNECTED',
    'IDEMPOTENCY_KEY_REUSED',
    'INVALID_REQUEST',
    'TEMPLATE_NOT_SENDABLE',
    'UPSTREAM_REJECTED',
  ])
  assert.deepEqual(listCodes(send, 409), ['OPERATION_IN_PROGRESS', 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(listCodes(send, 413), ['PAYLOAD_TOO_LARGE'])
  assert.deepEqual(listCodes(send, 429), ['RATE_LIMITED'])
  assert.deepEqual(listCodes(signUp, 401), [])
  assert.deepEqual(listCodes(signUp, 403), ['ORIGIN_NOT_ALLOWED'])
})

test('every failure of the hub has the one schema of errors, whose code is a text', {
  rules: ['openapi.failures-share-one-schema'],
}, () => {
  const failures = Object.values(document.components.responses).map(
    ({ content }) => content?.['application/json']?.schema,
  )

  assert.ok(failures.length > 10)
  for (const schema of failures) assert.deepEqual(schema, { $ref: '#/components/schemas/ErrorEnvelope' })
  const { type } = Object(schemas.ErrorEnvelope).properties.error.properties.code
  assert.equal(type, 'string')
})

test('the description of an operation names the codes that it lists, and the schema of errors has each of them', {
  rules: ['openapi.lists-every-status-and-code'],
}, () => {
  const known = Object(schemas.ErrorEnvelope)['x-error-codes'] as Record<string, { status: number }>

  assert.deepEqual(Object.fromEntries(Object.entries(known).map(([code, { status }]) => [code, status])), ERROR_STATUS)
  for (const { row, operation } of operations) {
    for (const [status, codes] of Object.entries(operation['x-error-codes'] ?? {})) {
      const line = `- ${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`
      assert.ok(operation.description?.includes(line), row)
    }
  }
})

test('the check of responses refuses a status, a code and a body that the document does not list', async (t) => {
  const { app } = await startHub(t)
  const check = createResponseCheck(app)
  const answer = (status: number, body: unknown) => ({ status, headers: new Headers(), body, text: '' })
  const details = { reason: 'organization_not_found', parameters: {} }
  const error = { message: 'x', request_id: randomUUID(), details }

  check('GET', '/api/v1/usage', answer(404, { error: { code: 'NOT_FOUND', ...error } }))
  assert.throws(() => check('GET', '/api/v1/usage', answer(409, { error: { code: 'NOT_FOUND', ...error } })))
  assert.throws(() => check('GET', '/api/v1/usage', answer(400, { error: { code: 'INVALID_CALL', ...error } })))
  assert.throws(() => check('GET', '/api/v1/usage', answer(200, { data: {} })))
  for (const given of [null, {}, { ...details, reason: 'of_no_code' }, { reason: details.reason }]) {
    const failure = { ...error, code: 'NOT_FOUND', details: given }
    assert.throws(() => check('GET', '/api/v1/usage', answer(404, { error: failure })))
  }
  assert.throws(() => check('POST', '/upstream/v25.0/1/calls', answer(410, {})))
})

test('every path parameter is described, and only operations with a body describe one', () => {
  for (const { row, path, method, operation } of operations) {
    const parts = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')

    assert.deepEqual(
      parameters.map(({ name }) => name),
      parts,
      row,
    )
    assert.ok(
      parameters.every(({ required }) => required === true),
      row,
    )
    if (BODILESS.includes(method) && row !== DELETED_BY_BODY) assert.equal(operation.requestBody, undefined, row)
  }
})

test('every schema of the document compiles, and every example passes its own schema', {
  rules: ['openapi.schemas-have-names-and-examples'],
}, () => {
  const ajv = createAjv()

  for (const [name, { examples = [] }] of Object.entries(schemas)) {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`)
    for (const example of examples) assert.ok(validate?.(example), `${name}: ${ajv.errorsText(validate?.errors)}`)
  }
  for (const { operation } of operations) {
    for (const { schema } of operation.parameters ?? []) ajv.compile(schema)
  }
})

test('every request, response, error and event payload has a name and an example', {
  rules: ['openapi.schemas-have-names-and-examples'],
}, () => {
  const contents = [
    ...operations.flatMap(({ operation }) => [operation.requestBody, ...Object.values(operation.responses)]),
    ...webhooks.map(({ requestBody }) => requestBody),
    ...Object.values(document.components.responses),
  ]

  for (const [type, { schema }] of contents.flatMap((part) => Object.entries(part?.content ?? {}))) {
    if (['application/octet-stream', 'image/*', 'text/csv'].includes(type)) continue
    for (const part of schema.anyOf ?? [schema]) {
      assert.ok(part.$ref, JSON.stringify(schema))
      assert.ok(resolve(part).examples, part.$ref)
    }
  }
})

test('a body that may be left out is optional', { rules: ['openapi.describes-the-facade'] }, () => {
  const optional = routes.filter(({ operation }) => operation.requestBody?.required === false)

  assert.deepEqual(
    optional.map(({ row }) => row),
    [
      'POST /api/v1/channels/:id/connect-link',
      'POST /api/v1/channels/:id/regenerate-token',
      'POST /api/v1/channels/:id/messages/:message_id/read',
      'POST /api/v1/listeners',
      'POST /api/v1/webhooks/:id/rotate-secret',
    ],
  )
})

test('the facade describes the parameters and bodies of its allowlist, together and by path', {
  rules: ['openapi.describes-the-facade'],
}, () => {
  const names = ({ parameters = [] }: Operation, where: string) =>
    parameters.filter((parameter) => parameter.in === where).map(({ name }) => name)
  const [read, write, remove] = ['get', 'post', 'delete'].map((method) =>
    findOperation(method, '/upstream/{resourcePath}'),
  )
  const paths = operations.filter(({ path }) => /^\/upstream\/[^/]+\//.test(path))

  assert.ok(read && names(read, 'query').includes('fields'))
  assert.deepEqual(remove && names(remove, 'query'), ['name', 'hsm_id'])
  assert.deepEqual(Object.keys(write?.requestBody?.content ?? {}), [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ])
  assert.deepEqual(
    paths.map(({ method, path }) => `${method} ${path}`).sort(),
    ALLOWLIST.filter(({ path, mounts }) => path.includes('/') && mounts.includes('upstream'))
      .map(({ method, path }) => `${method.toLowerCase()} /upstream/${path}`)
      .map((text) => text.replace('{phone}', '{phone_number_id}').replace(/\{(waba|media)\}/, '{$1_id}'))
      .sort(),
  )
})

test('an upload is a form with one file, and every other body is JSON', {
  rules: ['api.only-uploads-are-multipart'],
}, () => {
  const bodies = routes.filter(({ operation }) => operation.requestBody)
  const uploads = bodies.filter(({ row }) => /\/(?:media|template-examples)$/.test(row))

  assert.equal(uploads.length, 2)
  for (const { row, operation } of bodies) {
    const content = operation.requestBody?.content ?? {}
    const isUpload = uploads.some((upload) => upload.row === row)
    assert.deepEqual(Object.keys(content), [isUpload ? 'multipart/form-data' : 'application/json'], row)
  }
  const form = uploads[0]?.operation.requestBody?.content?.['multipart/form-data']?.schema
  const { examples: _, ...schema } = resolve(form ?? {})
  assert.deepEqual(schema, {
    type: 'object',
    additionalProperties: false,
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' } },
  })
})

test('every request body refuses unknown properties', {
  rules: ['api.unknown-properties-are-400', 'api.values-are-not-coerced'],
}, () => {
  const isStrict = (schema: Schema): boolean => {
    const { additionalProperties, oneOf } = resolve(schema)
    return oneOf ? oneOf.every(isStrict) : additionalProperties === false
  }

  for (const { row, operation } of routes) {
    const schema = operation.requestBody?.content?.['application/json']?.schema

    if (schema) assert.ok(isStrict(schema), row)
  }
})

test('a lifecycle event has a second form, for an endpoint in the compat format', {
  rules: ['lifecycle.has-its-own-envelope'],
}, () => {
  const lifecycle = Object.entries(document.webhooks).filter(([, { post }]) => post?.requestBody?.content)
  const kinds = lifecycle.filter(([, { post }]) => {
    const variants = resolve(post?.requestBody?.content?.['application/json']?.schema ?? {}).anyOf ?? []
    return variants.some(({ $ref }) => $ref === '#/components/schemas/CompatLifecycle')
  })

  assert.deepEqual(
    kinds.map(([kind]) => kind),
    ['channel.connected', 'channel.degraded', 'channel.disconnected'],
  )
})

test('every value that must match a pattern has a description, which a refusal repeats', {
  rules: ['error.message-says-what-to-change'],
}, () => {
  const undescribed: string[] = []
  function walk(value: unknown, place: string, isDescribed = false): void {
    if (typeof value !== 'object' || value === null) return
    const describes = 'description' in value
    if ('pattern' in value && typeof value.pattern === 'string' && !describes && !isDescribed) undescribed.push(place)
    // The description of a parameter is that of its schema.
    for (const [key, member] of Object.entries(value)) walk(member, `${place}/${key}`, key === 'schema' && describes)
  }

  walk({ paths: document.paths, schemas }, '')

  assert.deepEqual(undescribed, [])
})
