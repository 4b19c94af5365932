import { operations } from 'virtual:docs'

/** The operation of a request, whose path has ids in the place of parameters. */
export function matchOperation(method: string, path: string): string | null {
  const segments = path.replace(/\?.*$/, '').split('/')
  const found = operations.find((operation) => {
    const parts = operation.path.split('/')
    const isSame = (part: string, index: number) => part.startsWith('{') || part === segments[index]
    return operation.method === method && parts.length === segments.length && parts.every(isSame)
  })
  return found?.id ?? null
}
