import { type Document, findSchema, readReference, type Schema } from './document.ts'
import type { Method } from './operations.ts'
import { toKey } from './schema-types.ts'
import { HEADER, listEnvelopes, listTypes } from './types-file.ts'

const IMPORT = `import type * as types from '../src/console.ts'
`
const ID = '01980000-0000-7000-8000-000000000001'

/** The examples of the document as values of the types, and a call of each method with them, for the compiler and for tests. */
export function writeExamples(document: Document, methods: Method[]): string {
  const envelopes = listEnvelopes(methods)
  const named = listTypes(document, methods).flatMap((name) => {
    const { examples: [example] = [], properties } = findSchema(document, name)
    if (example === undefined || Object.values(properties ?? {}).some(isFile)) return []
    const shown = envelopes.has(name) ? (example as { data: unknown }).data : example
    return [`${name}: ${JSON.stringify(shown)} satisfies types.${name}`]
  })
  const calls = methods.map(
    (method) => `${method.operation.operationId}: (hub: types.ConsoleHub) => ${writeCall(document, method)}`,
  )
  return [
    HEADER,
    IMPORT,
    `/** By schema; of a response, its \`data\`. */\nexport const examples = {\n${named.join(',\n')}\n}\n`,
    `/** By operation. */\nexport const calls = {\n${calls.join(',\n')}\n}\n`,
  ].join('\n')
}

function writeCall(document: Document, { resource, name, pathParameters, body, query, headers }: Method): string {
  const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name)
  const args = [
    ...pathParameters.map(() => `'${ID}'`),
    ...(body ? [writeBody(document, body.schema)] : []),
    ...(required.length > 0 || (query.length > 0 && headers.length > 0) ? [writeTexts(required)] : []),
    ...(headers.length > 0 ? [`{ headers: ${writeTexts(headers)} }`] : []),
  ]
  return `hub.${resource}.${name}(${args.join(', ')})`
}

function writeTexts(names: string[]): string {
  return `{ ${names.map((name) => `${toKey(name)}: 'x'`).join(', ')} }`
}

function writeBody(document: Document, schema: Schema): string {
  const name = readReference(schema)
  if (name === undefined) throw new Error('The schema of a body has no name')
  const { properties = {} } = findSchema(document, name)
  const files = Object.entries(properties).filter(([, property]) => isFile(property))
  if (files.length === 0) return `examples.${name}`
  return `{ ${files.map(([file]) => `${toKey(file)}: new Blob(['bytes'])`).join(', ')} }`
}

function isFile({ format }: Schema): boolean {
  return format === 'binary'
}
