import { type Document, type Operation, type Parameter, resolveSchema, type Schema } from './document.ts'

/** One method of the SDK, and the operation that it calls. */
export type Method = {
  resource: string
  name: string
  verb: string
  path: string
  operation: Operation
  pathParameters: PathParameter[]
  query: Parameter[]
  isKeyed: boolean
  /** Names of headers that the caller must give. */
  headers: string[]
  body: Body | undefined
  result: Result
}

type PathParameter = { name: string; argument: string }

type Body = { schema: Schema; isForm: boolean; isRequired: boolean }

export type Result =
  | { kind: 'list'; member: string; item: Schema }
  /** One schema for each successful status. */
  | { kind: 'data' | 'bare'; schemas: Schema[] }
  | { kind: 'stream'; line: Schema | undefined }

/** Operations whose tag is not the noun that a caller looks for. */
const RESOURCES: Record<string, string> = { Connecting: 'channels', Facade: 'upstream' }
const NAMES: Record<string, { resource: string; name: string }> = {
  downloadMedia: { resource: 'media', name: 'read' },
  downloadMediaUpstream: { resource: 'media', name: 'download' },
}

/** The callers of an operation: a program with an API key or a channel token, or the dashboard for a person. */
export type Surface = 'public' | 'console'

/**
 * The operations of a surface, as methods of resources. A path with a wildcard is left out: the operations behind it are
 * in the document one by one.
 */
export function listMethods(document: Document, surface: Surface): Method[] {
  const methods = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => findSurface(path, operation) === surface && !path.includes('{resourcePath}'))
      .map(([verb, operation]) => toMethod(document, path, verb, operation)),
  )
  const repeated = methods.find((one, index) => methods.findIndex((other) => isSameMethod(one, other)) !== index)
  if (repeated) throw new Error(`Two operations become ${repeated.resource}.${repeated.name}: add one to NAMES`)
  return methods.sort((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0))
}

function findSurface(path: string, { security }: Operation): Surface | undefined {
  if (path.startsWith('/console/')) return 'console'
  return security.some((scheme) => 'api_key' in scheme || 'channel_token' in scheme) ? 'public' : undefined
}

function isSameMethod(one: Method, other: Method): boolean {
  return one.resource === other.resource && one.name === other.name
}

function toMethod(document: Document, path: string, verb: string, operation: Operation): Method {
  const parameters = operation.parameters ?? []
  return {
    ...nameMethod(operation),
    verb: verb.toUpperCase(),
    path,
    operation,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      argument: nameArgument(path, name),
    })),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    isKeyed: parameters.some(isKey),
    headers: parameters.filter((one) => one.in === 'header' && one.required && !isKey(one)).map(({ name }) => name),
    body: findBody(operation),
    result: findResult(document, path, operation),
  }
}

function isKey({ name }: Parameter): boolean {
  return name.toLowerCase() === 'idempotency-key'
}

/** `rotateWebhookSecret` of the tag "Webhooks" is `webhooks.rotateSecret`: the resource is not said twice. */
function nameMethod({ operationId, tags: [tag] }: Operation): { resource: string; name: string } {
  const given = NAMES[operationId]
  if (given) return given
  const resource = RESOURCES[tag] ?? toCamelCase(tag)
  const noun = resource.charAt(0).toUpperCase() + resource.slice(1).replace(/s$/, '')
  return { resource, name: operationId.replace(new RegExp(`${noun}s?(?=[A-Z]|$)`), '') }
}

/** `{id}` of `/api/v1/webhooks/{id}/test` is `webhookId`. */
function nameArgument(path: string, name: string): string {
  if (name !== 'id') return toCamelCase(name)
  const [, segment = ''] = /([^/]+)\/\{id\}/.exec(path) ?? []
  return `${toCamelCase(segment.replace(/s$/, ''))}Id`
}

function toCamelCase(words: string): string {
  const [first = '', ...others] = words.split(/[ _-]/)
  const head = first.charAt(0).toLowerCase() + (/^[A-Z]+$/.test(first) ? first.slice(1).toLowerCase() : first.slice(1))
  return head + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function findBody({ requestBody }: Operation): Body | undefined {
  if (!requestBody) return undefined
  const { 'application/json': json, 'multipart/form-data': form } = requestBody.content
  const found = json ?? form
  if (!found) throw new Error('The SDK can send JSON and forms only')
  return { schema: found.schema, isForm: !json, isRequired: requestBody.required ?? false }
}

function findResult(document: Document, path: string, { operationId, responses }: Operation): Result {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const contents = successes.map(([, response]) => response.content).filter((content) => content !== undefined)
  const [content, ...furtherContents] = contents
  if (!content) throw new Error(`${operationId} has no described success`)
  const json = content['application/json']
  if (!json) return { kind: 'stream', line: content['application/x-ndjson']?.schema }
  const further = furtherContents.flatMap((other) => other['application/json']?.schema ?? [])
  const schemas = [json.schema, ...further]
  if (path.startsWith('/upstream/')) return { kind: 'bare', schemas }

  const { data } = resolveSchema(document, json.schema).properties ?? {}
  if (!data) throw new Error(`${operationId} does not answer {data}`)
  const { next_cursor: _, ...members } = resolveSchema(document, data).properties ?? {}
  const [[member, list] = [], ...others] = Object.entries(members)
  const isList = member !== undefined && list?.type === 'array' && others.length === 0
  return isList ? { kind: 'list', member, item: list.items ?? {} } : { kind: 'data', schemas }
}
