import type { CodePart, Operation, Parameter, Reference } from '../src/features/docs/content.ts'
import { splitCode } from './code.ts'
import { parseBlocks } from './markdown.ts'
import {
  type ApiDocument,
  type ApiOperation,
  type ApiParameter,
  createOperationFinder,
  resolveSchema,
  type Schema,
} from './openapi.ts'
import { SDK_CALLS, type SdkCall } from './sdk-calls.gen.ts'
import { describeObjects, toShape, toText } from './shapes.ts'

/** The description has the errors once more in its structure. */
const ERRORS = /(?:^|\n\n)Errors:\n[\s\S]*$/
const KEY = 'idempotency-key'
const EXAMPLE_KEY = 'order-4711-shipped'
const ORIGIN = 'http://localhost:8080'
const ORDER = { path: 0, header: 1, query: 2 } as const

/** Every operation and every event of the description, as the pages show them. */
export function readReference(document: ApiDocument): Reference {
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        readOperation(document, method.toUpperCase(), path, operation),
      ),
    ),
    ...Object.entries(document.webhooks).map(([kind, { post }]) => readEvent(document, kind, post)),
  ]
  const shapes = operations.flatMap(({ body, answers, parameters }) => [
    ...(body ? [body.shape] : []),
    ...answers.flatMap(({ shape }) => shape ?? []),
    ...parameters.map(({ shape }) => shape),
  ])
  const tags = document.tags.map(({ name, description }) => ({ name, text: description }))
  return {
    tags: tags.filter(({ name }) => operations.some(({ tag }) => tag === name)),
    operations,
    objects: describeObjects(document, shapes),
  }
}

function readOperation(document: ApiDocument, method: string, path: string, operation: ApiOperation): Operation {
  const { security, 'x-scope': scope, 'x-also-scope': alsoScope, 'x-error-codes': errors = {} } = operation
  const call = SDK_CALLS[operation.operationId]
  const hasKey = security.some((one) => 'api_key' in one)
  return {
    ...describe(document, operation),
    method,
    path,
    scopes: [scope, alsoScope].filter((one) => one !== undefined),
    credentials: [
      ...(hasKey ? (['apiKey'] as const) : []),
      ...(security.some((one) => 'channel_token' in one) ? (['channelToken'] as const) : []),
    ],
    answers: readAnswers(document, operation),
    errors: Object.entries(errors).map(([status, codes]) => ({ status, codes })),
    curl: writeCurl(document, method, path, operation),
    ...(call && { sdk: writeSdk(document, call, operation, hasKey) }),
    ...readExample(document, findAnswer(operation)),
  }
}

/** The request that the hub makes for an event of this kind. */
function readEvent(document: ApiDocument, kind: string, operation: ApiOperation): Operation {
  const schema = operation.requestBody?.content['application/json']?.schema
  return {
    ...describe(document, operation),
    method: 'EVENT',
    path: kind,
    scopes: [],
    credentials: [],
    answers: [],
    errors: [],
    ...readExample(document, schema),
  }
}

function describe(document: ApiDocument, operation: ApiOperation) {
  const { operationId, summary, description = '', tags, parameters = [] } = operation
  const lines = description.replace(ERRORS, '').split('\n')
  const body = readBody(document, operation)
  return {
    id: operationId,
    summary: summary.replace(/\.$/, ''),
    tag: tags[0],
    description: parseBlocks(lines, { findTarget: () => undefined, findOperation: createOperationFinder(document) }),
    parameters: parameters.map((one) => readParameter(document, one)).sort((a, b) => ORDER[a.place] - ORDER[b.place]),
    ...(body && { body }),
  }
}

function readParameter(document: ApiDocument, parameter: ApiParameter): Parameter {
  const { name, in: place, required: isRequired = false, description, schema } = parameter
  const shape = toShape(document, schema)
  const shown = place === 'header' ? toHeaderName(name) : name
  return {
    name: shown,
    place,
    isRequired,
    shape: { ...shape, ...(description !== undefined && { text: toText(description) }) },
  }
}

/** `idempotency-key` as people write it. */
function toHeaderName(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

function readBody(document: ApiDocument, { requestBody }: ApiOperation): Operation['body'] {
  const [[contentType, media] = []] = Object.entries(requestBody?.content ?? {})
  if (!requestBody || contentType === undefined || !media) return undefined
  const { description, required: isRequired = false } = requestBody
  const shape = toShape(document, media.schema)
  return { isRequired, contentType, shape, ...(description !== undefined && { text: toText(description) }) }
}

function readAnswers(document: ApiDocument, { responses }: ApiOperation): Operation['answers'] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description = '', content }]) => {
      const [media] = Object.values(content ?? {})
      return { status, text: description, ...(media && { shape: toShape(document, media.schema) }) }
    })
}

function findAnswer({ responses }: ApiOperation): Schema | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return answer?.content?.['application/json']?.schema
}

function readExample(document: ApiDocument, schema: Schema | undefined): { example?: CodePart[] } {
  const example = findExample(document, schema)
  return example === undefined ? {} : { example: splitCode(JSON.stringify(example, null, 2), 'json') }
}

function findExample(document: ApiDocument, schema: Schema | undefined): unknown {
  if (!schema) return undefined
  const { examples, anyOf = [] } = resolveSchema(document, schema)
  return examples?.[0] ?? (anyOf[0] && resolveSchema(document, anyOf[0]).examples?.[0])
}

/** A command that runs as it is pasted, once its placeholders are filled. */
function writeCurl(document: ApiDocument, method: string, path: string, operation: ApiOperation): CodePart[] {
  const { parameters = [], requestBody, security } = operation
  const json = requestBody?.content['application/json']
  const isForm = requestBody !== undefined && !json
  const query = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${name}=…`)
  const address = `${ORIGIN}${fillPath(path)}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const isPlainPost = method === 'POST' && requestBody !== undefined
  const variable = security.some((one) => 'api_key' in one) ? '$HUBLINE_KEY' : '$CHANNEL_TOKEN'
  const headers = parameters.filter((one) => one.in === 'header' && one.required)
  const lines = [
    `curl ${method === 'GET' || isPlainPost ? '' : `-X ${method} `}"${address}"`,
    ...(security.length > 0 ? [`-H "Authorization: Bearer ${variable}"`] : []),
    ...headers.map(({ name }) => `-H "${toHeaderName(name)}: ${name === KEY ? EXAMPLE_KEY : '…'}"`),
    ...(json ? [`-H "Content-Type: application/json"`, `-d '${writeBody(document, json.schema, 2)}'`] : []),
    ...(isForm ? ['-F file=@photo.jpg'] : []),
  ]
  return splitCode(lines.join(' \\\n  '), 'sh')
}

/** The ids of the reader's channel take the place of their names; all others keep braces around theirs. */
function fillPath(path: string): string {
  return path
    .replace('/channels/{id}', '/channels/{channel_id}')
    .replace('{phone_number_id}', '<phone_number_id>')
    .replace('{waba_id}', '<waba_id>')
}

function writeBody(document: ApiDocument, schema: Schema, indent: number): string {
  const text = JSON.stringify(findExample(document, schema) ?? {}, null, 2)
  return (
    text.length < 60 ? text.replaceAll(/\s*\n\s*/g, ' ') : text.replaceAll('\n', `\n${' '.repeat(indent)}`)
  ).replaceAll("'", "'\\''")
}

/** The same with the SDK. */
function writeSdk(document: ApiDocument, call: SdkCall, { requestBody }: ApiOperation, hasKey: boolean): CodePart[] {
  const schema = requestBody?.content['application/json']?.schema
  const credential = hasKey ? 'HUBLINE_KEY' : 'CHANNEL_TOKEN'
  const query = call.query.map((name) => `${name}: '…'`)
  const given = [
    ...call.arguments.map((name) => `'{${toSnakeCase(name)}}'`),
    ...(call.body === 'json' ? [toSource(document, schema ?? {})] : []),
    ...(call.body === 'form' ? ['{ file: new Blob([bytes]) }'] : []),
    ...(query.length > 0 ? [`{ ${query.join(', ')} }`] : []),
    ...(call.isKeyed ? [`{ idempotencyKey: '${EXAMPLE_KEY}' }`] : []),
  ]
  const line = `hub.${call.name}(${given.join(', ')})`
  const program = `import { Hub } from '@hubline/sdk'

const hub = new Hub({ url: '${ORIGIN}', credential: process.env.${credential} })
${call.isList ? `for await (const one of ${line}) console.log(one)` : `console.log(await ${line})`}`
  return splitCode(program, 'ts')
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** JSON as it stands in a program: names without quotes where they need none. */
function toSource(document: ApiDocument, schema: Schema): string {
  const text = JSON.stringify(findExample(document, schema) ?? {}, null, 2)
  const source = text.replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:').replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'")
  return source.length < 60 ? source.replaceAll(/\s*\n\s*/g, ' ') : source
}
