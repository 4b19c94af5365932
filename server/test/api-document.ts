import { describeApi } from '../src/app/openapi/describe-api.ts'

type Whole = { paths: object; webhooks: object; components: Record<string, object> }

/** The public document and that of the console as one. */
export async function describeWhole<Document extends object>(): Promise<Document> {
  const texts = await describeApi()
  const api: Whole = JSON.parse(texts['openapi.json'])
  const console: Whole = JSON.parse(texts['openapi-console.json'])
  const kinds = Object.keys(api.components)
  const components = kinds.map((kind) => [kind, { ...api.components[kind], ...console.components[kind] }])
  return {
    ...api,
    paths: { ...api.paths, ...console.paths },
    components: Object.fromEntries(components),
  } as unknown as Document
}

type Node = Record<string, unknown>

/** The paths of the OpenAPI document, with each reference replaced by what it refers to. */
export async function describeResolvedPaths<Operation>(): Promise<Record<string, Record<string, Operation>>> {
  const document = await describeWhole<Node>()

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: string }
    if ($ref !== undefined) return resolve(findNode(document, $ref))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member)]))
  }

  return resolve(document.paths) as Record<string, Record<string, Operation>>
}

type Payload = { $ref: string }
type Webhook = { post: { requestBody: { content: Record<string, { schema: Payload }> } } }

/** The example of the native payload of each kind of event. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads members of any kind.
export async function listEventExamples(): Promise<Record<string, any>> {
  const document = await describeWhole<Node>()
  const kinds = Object.entries(document.webhooks as Record<string, Webhook>).map(([kind, { post }]) => {
    const { examples } = findNode(document, post.requestBody.content['application/json']?.schema.$ref ?? '') as {
      examples: unknown[]
    }
    return [kind, examples[0]]
  })
  return Object.fromEntries(kinds)
}

function findNode(document: Node, reference: string): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((node, name) => (node as Node)[name], document)
}
