import { useEffect } from 'react'
import { shellQuote } from './shell-quote.ts'
import { createStore } from './store.ts'

/** A request of the API that does what a page shows. */
type ApiExample = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** The same with the SDK. */
  sdk: string
}

const example = createStore<ApiExample | undefined>(undefined)

/** The "API" button of this page shows this. */
export function useApiExample(request: ApiExample): void {
  const text = JSON.stringify(request)
  useEffect(() => {
    example.set(JSON.parse(text))
    return () => example.set(undefined)
  }, [text])
}

export const useCurrentApiExample = example.use

/** A call of the SDK as a program that works as it stands, once HUBLINE_KEY is set. */
export function writeProgram(call: string): string {
  return `import { Hub } from '@hubline/sdk'

const hub = new Hub({ url: '${location.origin}', credential: process.env.HUBLINE_KEY })
${call}`
}

/** A command line that works as it stands, once HUBLINE_KEY is set. */
export function writeCurl({ method, path, body }: Pick<ApiExample, 'method' | 'path' | 'body'>): string {
  const lines = [`curl -X ${method} ${shellQuote(location.origin + path)}`, `-H "Authorization: Bearer $HUBLINE_KEY"`]
  if (method === 'POST' && /\/messages$/.test(path)) lines.push('-H "Idempotency-Key: send-$(date +%s)"')
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d ${shellQuote(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n  ')
}
