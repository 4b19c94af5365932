import type { Ledger } from './ledger.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer has any shape
export type Answer = { status: number; body: any }
export type Call = {
  kind: string
  tenant: string
  method: string
  url: string
  /** Absent where a cookie is the credential. */
  key?: string
  body?: object
  headers?: Record<string, string>
  note?: object
}

const REQUEST_MS_MAX = 15_000

/** Calls the API, and records the call with its answer. Status 0: no answer came. */
export function createCaller(ledger: Ledger) {
  return async function call({ kind, tenant, method, url, key, body, headers = {}, note = {} }: Call): Promise<Answer> {
    const from = Date.now()
    const answer = await fetch(url, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
      ...(body && { body: JSON.stringify(body) }),
    }).then(
      async (response) => ({ status: response.status, body: await response.json().catch(() => null) }),
      () => ({ status: 0, body: null }),
    )
    ledger.write({ kind, tenant, from, at: Date.now(), ...note, status: answer.status, answer: answer.body })
    return answer
  }
}

export type Caller = ReturnType<typeof createCaller>
