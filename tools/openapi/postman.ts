import { type Document, type Operation, type Parameter, resolveSchema, type Schema } from '../sdk/document.ts'

/** It never changes, so that an import replaces the collection of another version. */
const COLLECTION_ID = '4b1d6c1e-0f0c-4f8e-9d53-0b5a6f1c7e10'
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

type Info = { title: string; description: string; version: string }

/** A collection for Postman, Bruno and Insomnia: a folder for each tag, and a request with an example for each operation. */
export function writePostmanCollection(openapi: string): string {
  const document: Document & { info: Info } = JSON.parse(openapi)
  const { title, description, version } = document.info
  const operations = Object.entries(document.paths)
    .filter(([path]) => !path.includes('{resourcePath}'))
    .flatMap(([path, item]) => Object.entries(item).map(([verb, operation]) => ({ path, verb, operation })))
  const folders = Map.groupBy(operations, ({ operation }) => operation.tags[0])
  const collection = {
    info: { _postman_id: COLLECTION_ID, name: title, description, version, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:8080' },
      { key: 'token', value: '' },
    ],
    item: [...folders].map(([name, entries]) => ({
      name,
      item: entries.map(({ path, verb, operation }) => toItem(document, path, verb, operation)),
    })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function toItem(document: Document, path: string, verb: string, operation: Operation) {
  const { parameters = [], requestBody, summary, description, security } = operation
  const body = requestBody && toBody(document, requestBody.content)
  return {
    name: summary,
    request: {
      method: verb.toUpperCase(),
      ...(description !== undefined && { description }),
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      url: toUrl(path, parameters),
      header: [
        ...parameters.filter((one) => one.in === 'header').map(toHeader),
        ...(body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      ...(body && { body }),
    },
  }
}

function toUrl(path: string, parameters: Parameter[]) {
  const query = parameters.filter((one) => one.in === 'query')
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    variable: parameters
      .filter((one) => one.in === 'path')
      .map(({ name, description = '' }) => ({ key: name, value: '', description })),
    query: query.map(({ name, description = '', required = false }) => ({
      key: name,
      value: '',
      description,
      disabled: !required,
    })),
  }
}

/** Postman makes a new key for each request. */
function toHeader({ name, description = '', required = false }: Parameter) {
  const value = name.toLowerCase() === 'idempotency-key' ? '{{$guid}}' : ''
  return { key: name, value, description, disabled: !required }
}

function toBody(document: Document, content: Record<string, { schema: Schema }>) {
  const { 'application/json': json, 'multipart/form-data': form } = content
  if (json) {
    const { examples: [example] = [] } = resolveSchema(document, json.schema)
    return { mode: 'raw', raw: JSON.stringify(example ?? {}, null, 2), options: { raw: { language: 'json' } } }
  }
  const { properties = {} } = resolveSchema(document, form?.schema ?? {})
  const formdata = Object.entries(properties).map(([key, { format }]) =>
    format === 'binary' ? { key, type: 'file', src: [] } : { key, type: 'text', value: '' },
  )
  return { mode: 'formdata', formdata }
}
