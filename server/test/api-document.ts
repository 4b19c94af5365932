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

function findNode(document: Node, reference: string): unknown {
  const names = reference.split('/').slice(1)
  return names.reduce<unknown>((node, name) => (node as Node)[name], document)
}
