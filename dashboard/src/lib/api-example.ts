import { useEffect, useSyncExternalStore } from 'react'

/** A request of the API that does what a page shows. */
export type ApiExample = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** The same with the SDK. */
  sdk: string
}

let current: ApiExample | undefined
const listeners = new Set<() => void>()

function change(next: ApiExample | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** What the "API" button of this page shows. */
export function useApiExample(example: ApiExample): void {
  const text = JSON.stringify(example)
  useEffect(() => {
    change(JSON.parse(text))
    return () => change(undefined)
  }, [text])
}

export function useCurrentApiExample(): ApiExample | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

/** A command line that works as it stands, once HUBLINE_KEY is set. */
export function writeCurl({ method, path, body }: Pick<ApiExample, 'method' | 'path' | 'body'>): string {
  const lines = [`curl -X ${method} '${location.origin}${path}'`, `-H "Authorization: Bearer $HUBLINE_KEY"`]
  if (method === 'POST' && /\/messages$/.test(path)) lines.push('-H "Idempotency-Key: send-$(date +%s)"')
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}
