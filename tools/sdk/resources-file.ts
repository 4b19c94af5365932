import type { Document, Schema } from './document.ts'
import type { Method } from './operations.ts'
import { joinTypes, toComment, toKey, toType } from './schema-types.ts'
import { HEADER, listSchemas } from './types-file.ts'

/** One class for each resource, with a method for each operation. */
export function writeClasses(document: Document, methods: Method[], typesFile: string): string {
  return writeFile(methods, typesFile, listClasses(document, methods))
}

/** The classes, and \`Resources\`, which has one of each. */
export function writeResources(document: Document, methods: Method[]): string {
  const names = [...new Set(methods.map(({ resource }) => resource))]
  const members = names.map((name) => `readonly ${name}: ${toClassName(name)}`)
  const creations = names.map((name) => `this.${name} = new ${toClassName(name)}(requester)`)
  return writeFile(methods, 'types.gen.ts', [
    ...listClasses(document, methods),
    `/** Every resource of the hub. */\nexport class Resources {\n${members.join('\n')}\n`,
    `constructor(requester: Requester) {\n${creations.join('\n')}\n}\n}\n`,
  ])
}

function listClasses(document: Document, methods: Method[]): string[] {
  const resources = Map.groupBy(methods, ({ resource }) => resource)
  return [...resources].map(([resource, own]) => writeClass(document, resource, own))
}

function writeFile(methods: Method[], typesFile: string, parts: string[]): string {
  const text = parts.join('\n')
  return [HEADER, writeImports(methods, typesFile, text), text].join('\n')
}

function writeImports(methods: Method[], typesFile: string, text: string): string {
  const named = [...new Set(listSchemas(methods).flatMap((schema) => listDirectNames(schema)))].sort()
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  const types = named.filter(isUsed)
  const ofRequests = ['KeyedOptions', 'Requester', 'RequestOptions'].filter(isUsed)
  return `import type { List } from '../pages.ts'
import type { ${ofRequests.join(', ')} } from '../request.ts'
import { path, Resource } from '../resource.ts'
import type { ${types.join(', ')} } from './${typesFile}'
`
}

function listDirectNames(schema: Schema): string[] {
  return [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)
}

function writeClass(document: Document, resource: string, methods: Method[]): string {
  const texts = methods.map((method) => writeMethod(document, method))
  return `export class ${toClassName(resource)} extends Resource {\n${texts.join('\n')}}\n`
}

function writeMethod(document: Document, method: Method): string {
  const { name, verb, body, query, isKeyed, result } = method
  const parameters = [
    ...method.pathParameters.map(({ argument }) => `${argument}: string`),
    ...(body ? [`body${body.isRequired ? '' : '?'}: ${toType(document, body.schema)}`] : []),
    ...(query.length > 0 ? [writeQuery(document, method)] : []),
    writeOptions(method),
  ]
  const members = [
    `method: '${verb}'`,
    `path: ${writePath(method)}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(body ? [body.isForm ? 'form: body' : 'body'] : []),
    ...(isKeyed ? ['isKeyed: true'] : []),
    ...(result.kind === 'bare' ? ['isBare: true'] : []),
  ]
  const call = `{ ${members.join(', ')} }`
  const { type, statement } = writeResult(document, method, call)
  return `${toComment(describe(method))}${name}(${parameters.join(', ')}): ${type} {\n${statement}\n}\n`
}

function writeOptions({ isKeyed, headers }: Method): string {
  const type = isKeyed ? 'KeyedOptions' : 'RequestOptions'
  if (headers.length === 0) return `options?: ${type}`
  return `options: ${type} & { headers: { ${headers.map((name) => `${toKey(name)}: string`).join('; ')} } }`
}

function writeResult(document: Document, { result }: Method, call: string): { type: string; statement: string } {
  if (result.kind === 'stream')
    return { type: 'Promise<Response>', statement: `return this.requester.stream(${call}, options)` }
  if (result.kind === 'list') {
    const type = `List<${toType(document, result.item)}>`
    return { type, statement: `return this.requester.list('${result.member}', ${call}, options)` }
  }
  const type = `Promise<${joinTypes(result.schemas.map((schema) => toType(document, schema)))}>`
  return { type, statement: `return this.requester.send(${call}, options)` }
}

function writeQuery(document: Document, { query }: Method): string {
  const members = query.map(
    ({ name, required, description, schema }) =>
      `${toComment(description)}${name}${required ? '' : '?'}: ${toType(document, schema)}${required ? '' : ' | undefined'}`,
  )
  const defaults = query.some(({ required }) => required) ? '' : ' = {}'
  return `query: { ${members.join('; ')} }${defaults}`
}

function writePath({ path, pathParameters }: Method): string {
  if (pathParameters.length === 0) return `'${path}'`
  const filled = pathParameters.reduce((text, { name, argument }) => text.replace(`{${name}}`, `\${${argument}}`), path)
  return `path\`${filled}\``
}

function describe({ operation }: Method): string {
  // The codes of its errors are in the types.
  const [description] = operation.description?.split(/\n*Errors:\n/) ?? []
  const sentences = [operation.summary, description].filter((text) => text !== undefined && text !== '')
  const ended = sentences.map((text = '') => (/[.!?]$/.test(text) ? text : `${text}.`))
  const scope = operation['x-scope']
  return [...ended, ...(scope ? [`Scope: \`${scope}\`.`] : [])].join(' ')
}

function toClassName(resource: string): string {
  return resource.charAt(0).toUpperCase() + resource.slice(1)
}
