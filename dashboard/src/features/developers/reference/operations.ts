import { queryOptions } from '@tanstack/react-query'

type Described = { operationId?: string; summary?: string; tags?: string[]; 'x-scope'?: string }
type ApiDocument = { info: { version: string }; paths: Record<string, Record<string, Described>> }

export type Operation = {
  id: string
  method: string
  path: string
  summary: string
  tag: string
  scope: string | undefined
}

/** The description that the hub serves, which is that of its own version. */
export const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }): Promise<{ version: string; operations: Operation[] }> => {
    const response = await fetch('/openapi.json', { signal })
    if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}.`)
    const { info, paths }: ApiDocument = await response.json()
    return { version: info.version, operations: Object.entries(paths).flatMap(listOperations) }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

function listOperations([path, methods]: [string, Record<string, Described>]): Operation[] {
  return Object.entries(methods).map(([method, { operationId = '', summary = '', tags = [], 'x-scope': scope }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    tag: tags[0] ?? '',
    scope,
  }))
}

/** The operation of a route, whose parameters are written `:id` by the hub and `{id}` in the description. */
export function findOperation(operations: readonly Operation[], method: string, route: string): Operation | undefined {
  const path = route.replaceAll(/:(\w+)/g, '{$1}')
  return operations.find((operation) => operation.method === method && operation.path === path)
}
