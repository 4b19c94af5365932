import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../server/test/hub.ts'
import { Hub, List } from '../src/sdk.ts'

type Document = { paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>> }
type Method = (...args: unknown[]) => Promise<unknown> | List<unknown>

const ID = '0198c2f0-7a5b-7c3d-8e4f-123456789abc'
/** The wildcard of the facade, whose operations are in the document one by one. */
const WILDCARD = '/upstream/{resourcePath}'

test('every operation that a key or a channel token may call is a method, and every method is such an operation', async (t) => {
  const { anonymous } = await startHub(t)
  const document: Document = (await anonymous.get('/openapi.json')).body

  const expected = listOperations(document)
  const called = await callEveryMethod()

  assert.ok(expected.length > 40)
  assert.deepEqual(called.sort(), expected.sort())
})

function listOperations({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { security = [] }]) => security.some((one) => 'api_key' in one || 'channel_token' in one))
      .filter(() => path !== WILDCARD)
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
  )
}

/** What each method of each resource requests, with one id for all arguments that are ids. */
async function callEveryMethod(): Promise<string[]> {
  const requests: string[] = []
  const hub = new Hub({
    url: 'https://hub.example.com',
    fetch: async (url, init) => {
      requests.push(`${init?.method} ${new URL(String(url)).pathname.replaceAll(ID, '{}')}`)
      return Response.json({ data: {} })
    },
  })
  for (const resource of Object.values(hub)) {
    for (const name of listMethodNames(resource)) {
      const method = Reflect.get(resource, name) as Method
      const ids = Array.from({ length: countIds(method) }, () => ID)
      const result = method.call(resource, ...ids, {})
      if (result instanceof List) await result.pages().next()
      else await result
    }
  }
  return requests
}

function listMethodNames(resource: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor')
}

/** Generated methods name their ids `…Id`, before all other parameters. */
function countIds(method: Method): number {
  const [, parameters = ''] = /^\w+\(([^)]*)\)/.exec(String(method)) ?? []
  return parameters.split(',').filter((name) => /Id\s*$/.test(name.split(':')[0] ?? '')).length
}
