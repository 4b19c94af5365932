import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { startHub } from '../../../test/hub.ts'
import { guardedRoutes, liveRoutes } from '../../../test/live-routes.ts'
import { ACCESS_RULES, type Access } from '../http/access-rules.ts'
import { describeApi } from './describe-api.ts'

const COMMITTED = join(import.meta.dirname, '../../../../openapi.json')
const BODILESS = ['get', 'delete']

type Content = { content?: Record<string, { schema: object }> }
type Operation = {
  operationId?: string
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: Content
  responses: Record<string, Content & { description?: string }>
}
type Described = { row: string; path: string; method: string; operation: Operation }

const document = JSON.parse(await describeApi())

const operations: Described[] = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    row: `${method.toUpperCase()} ${path.replace('{resourcePath}', '*').replace(/\{([^}]+)\}/g, ':$1')}`,
    path,
    method,
    operation,
  })),
)

/** The credentials of an access rule, by their names in the document. */
function describeSecurity(access: Access | undefined): string[] {
  if (!access || 'public' in access || 'callback' in access) return []
  if ('session' in access) return ['session']
  if ('facade' in access) return ['channel_token']
  return access.channelToken === undefined ? ['api_key', 'session'] : ['api_key', 'channel_token', 'session']
}

test('the committed document is the generated one', async () => {
  const committed = await readFile(COMMITTED, 'utf8')

  assert.equal(committed, await describeApi(), 'run: npm run generate')
})

test('the committed document is served without a credential', {
  rules: ['D2-51', 'VER-02'],
}, async (t) => {
  const { anonymous } = await startHub(t)

  const res = await anonymous.get('/openapi.json')

  assert.equal(res.status, 200)
  assert.equal(res.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(res.body.openapi, '3.1.0')
  assert.equal(res.body.info.version, '1.0.0')
  assert.deepEqual(res.body, document)
})

test('every path is under /api/v1, except those of the facade, the console and the probes', {
  rules: ['VER-01'],
}, async (t) => {
  const { app } = await startHub(t)
  const isElsewhere = (route: string) => /^[A-Z]+ (\/(upstream|console)\/|\/(health|ready)$)/.test(route)
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

  const described = operations.map(({ row }) => row).sort()

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

test('every operation has the credentials of its access rule', () => {
  for (const { row, operation } of operations) {
    const names = operation.security?.map((scheme) => Object.keys(scheme).join())

    assert.deepEqual(names, describeSecurity(ACCESS_RULES[row]), row)
    for (const name of names ?? []) assert.ok(document.components.securitySchemes[name], name)
  }
})

test('every operation describes one successful response and the failures', () => {
  for (const { row, operation } of operations) {
    const statuses = Object.keys(operation.responses)

    assert.equal(statuses.filter((status) => status.startsWith('2')).length, 1, row)
    assert.ok(statuses.includes('default'), row)
    for (const { description } of Object.values(operation.responses)) assert.ok(description, row)
  }
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
    if (BODILESS.includes(method)) assert.equal(operation.requestBody, undefined, row)
  }
})

test('every schema of the document compiles', () => {
  const ajv = new Ajv2020({ strict: false })
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addFormat('iri', URL.canParse)

  for (const { operation } of operations) {
    const contents = [operation.requestBody, ...Object.values(operation.responses)]
    const schemas = contents.flatMap((part) => Object.values(part?.content ?? {})).map(({ schema }) => schema)
    for (const schema of [...schemas, ...(operation.parameters ?? []).map((parameter) => parameter.schema)]) {
      ajv.compile(schema)
    }
  }
})

test('an upload is a form with one file, and every other body is JSON', { rules: ['GEN-03'] }, () => {
  const bodies = operations.filter(({ operation }) => operation.requestBody)
  const uploads = bodies.filter(({ row }) => row.endsWith('/media'))

  assert.equal(uploads.length, 1)
  for (const { row, operation } of bodies) {
    const content = operation.requestBody?.content ?? {}
    const isUpload = uploads.some((upload) => upload.row === row)
    assert.deepEqual(Object.keys(content), [isUpload ? 'multipart/form-data' : 'application/json'], row)
  }
  const form = uploads[0]?.operation.requestBody?.content?.['multipart/form-data']?.schema
  assert.deepEqual(form, {
    type: 'object',
    additionalProperties: false,
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' } },
  })
})

test('every request body refuses unknown properties', { rules: ['CRE-01', 'D3-08', 'D3-10'] }, () => {
  type Body = { additionalProperties?: boolean; oneOf?: Body[] }
  const isStrict = ({ additionalProperties, oneOf }: Body): boolean =>
    oneOf ? oneOf.every(isStrict) : additionalProperties === false

  for (const { row, operation } of operations) {
    const schema = operation.requestBody?.content?.['application/json']?.schema as Body | undefined

    if (schema) assert.ok(isStrict(schema), row)
  }
})
