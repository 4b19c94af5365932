import { describeApi } from '../src/app/openapi/describe-api.ts'

type Node = Record<string, unknown>

/** The paths of the OpenAPI document, with each reference replaced by what it refers to. */
export async function describeResolvedPaths<Operation>(): Promise<Record<string, Record<string, Operation>>> {
  const document: Node = JSON.parse(await describeApi())

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
  const document: Node = JSON.parse(await describeApi())
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
