import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Document } from '../sdk/document.ts'
import { writeLlmsTxt } from './llms.ts'
import { writePostmanCollection } from './postman.ts'

const ROOT = join(import.meta.dirname, '../..')
const openapi = readFileSync(join(ROOT, 'openapi.json'), 'utf8')
const { paths }: Document = JSON.parse(openapi)
const operations = Object.entries(paths)
  .filter(([path]) => !path.includes('{resourcePath}'))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
  )

type Item = {
  name: string
  request: {
    method: string
    url: { raw: string; variable: { key: string }[] }
    header: { key: string; value: string; disabled?: boolean }[]
    body?: { mode: string; raw?: string }
  }
}

test('the Postman collection has a request for each operation, with its parameters and an example', {
  rules: ['openapi.postman-and-llms-follow'],
}, () => {
  const folders: { item: Item[] }[] = JSON.parse(writePostmanCollection(openapi)).item
  const items = folders.flatMap(({ item }) => item)

  const named = items.map(({ request }) => `${request.method} ${request.url.raw.replaceAll(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(named.sort(), operations.map(({ verb, path }) => `${verb} {{baseUrl}}${path}`).sort())
  for (const { name, request } of items) {
    const inPath = [...request.url.raw.matchAll(/:(\w+)/g)].map(([, key]) => key)
    assert.deepEqual(
      request.url.variable.map(({ key }) => key),
      inPath,
      name,
    )
    if (request.body?.mode === 'raw') assert.equal(typeof JSON.parse(request.body.raw ?? ''), 'object', name)
  }
  const send = items.find(
    ({ request }) => request.url.raw.endsWith('/api/v1/channels/:id/messages') && request.method === 'POST',
  )
  assert.equal(send?.request.header[0]?.value, '{{$guid}}')
})

test('llms.txt names each operation and guide, and its links lead to files', {
  rules: ['openapi.postman-and-llms-follow'],
}, () => {
  const text = writeLlmsTxt(ROOT, openapi)

  for (const { verb, path } of operations) assert.ok(text.includes(`- \`${verb} ${path}\`: `), `${verb} ${path}`)
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  assert.ok(links.length > 20)
  for (const link of links) assert.ok(existsSync(join(ROOT, link)), link)
})
