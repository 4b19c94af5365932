import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startHub } from '../../server/test/hub.ts'
import { ConsoleHub } from '../src/console.ts'
import { Hub, List } from '../src/sdk.ts'
import { calls } from './examples.gen.ts'

type Content = Record<string, { schema: Schema }>
type Schema = { $ref?: string; examples?: unknown[] }
type Operation = {
  operationId: string
  security?: Record<string, unknown>[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }
type Call = (hub: ConsoleHub) => List<unknown> | Promise<unknown>

/** The wildcard of the facade, whose operations are in the document one by one, and that of clients other than the SDK. */
const WILDCARDS = ['/upstream/{resourcePath}', '/graph/{resourcePath}']
const URL_OF_HUB = 'https://hub.example.com'

test('every operation for keys, channel tokens and the dashboard is a method, which does what the document says', {
  rules: ['sdk.has-every-operation'],
}, async (t) => {
  const { anonymous } = await startHub(t)
  const [api, ofConsole]: [Document, Document] = [
    (await anonymous.get('/openapi.json')).body,
    (await anonymous.get('/openapi-console.json')).body,
  ]
  const document = joinDocuments(api, ofConsole)
  const operations = listOperations(document)

  assert.ok(operations.length > 40)
  assert.deepEqual(Object.keys(calls).sort(), operations.map(({ operationId }) => operationId).sort())
  assert.equal(listMethods(new ConsoleHub({ url: URL_OF_HUB })).length, operations.length)

  for (const { operationId, method, path, requestBody, responses } of operations) {
    await t.test(operationId, async () => {
      const [status = '', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
      const answer = findExample(document, response?.content)
      const sent = await callWith(calls[operationId as keyof typeof calls], Number(status), answer)

      assert.equal(sent.method, method)
      assert.match(sent.path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
      if (requestBody?.content['application/json']) {
        assert.deepEqual(JSON.parse(String(sent.body)), findExample(document, requestBody.content))
      }
      assert.deepEqual(sent.result, toResult(sent.result, path, answer))
    })
  }
})

function joinDocuments(api: Document, ofConsole: Document): Document {
  const schemas = { ...api.components.schemas, ...ofConsole.components.schemas }
  return { ...api, paths: { ...api.paths, ...ofConsole.paths }, components: { ...api.components, schemas } }
}

function listOperations({ paths }: Document) {
  return Object.entries(paths)
    .filter(([path]) => !WILDCARDS.includes(path))
    .flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => path.startsWith('/console/') || isPublic(operation))
        .map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
    )
}

function isPublic({ security = [] }: Operation): boolean {
  return security.some((one) => 'api_key' in one || 'channel_token' in one)
}

function findExample({ components }: Document, content: Content | undefined): unknown {
  const { $ref = '' } = content?.['application/json']?.schema ?? {}
  return components.schemas[$ref.split('/').at(-1) ?? '']?.examples?.[0]
}

test('the README lists every method', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8').split('\n')

  for (const [resource, method] of listMethods(new Hub({ url: URL_OF_HUB }))) {
    const row = readme.find((line) => line.startsWith(`| \`hub.${resource}\` |`))
    assert.ok(row?.includes(`\`${method}\``), `hub.${resource}.${method} is missing`)
  }
})

function listMethods(hub: Hub): [resource: string, method: string][] {
  return Object.entries<object>({ ...hub }).flatMap(([resource, one]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(one))
      .filter((name) => name !== 'constructor')
      .map((name): [string, string] => [resource, name]),
  )
}

/** The request of a method, and the value that it makes of the answer. */
async function callWith(call: Call, status: number, answer: unknown) {
  let sent: { method: string | undefined; path: string; body: unknown } | undefined
  const hub = new ConsoleHub({
    url: URL_OF_HUB,
    fetch: async (url, init) => {
      sent = { method: init?.method, path: new URL(String(url)).pathname, body: init?.body }
      return Response.json(answer ?? null, { status })
    },
  })
  const returned = call(hub)
  const result = returned instanceof List ? await returned.toArray() : await returned
  assert.ok(sent)
  return { ...sent, result }
}

/** Streams are responses, the facade answers bare bodies, and lists are the one array in the `data`. */
function toResult(result: unknown, path: string, answer: unknown): unknown {
  if (result instanceof Response) return result
  if (path.startsWith('/upstream/')) return answer
  const { data } = answer as { data: object }
  return Array.isArray(result) ? Object.values(data).find((member) => Array.isArray(member)) : data
}
