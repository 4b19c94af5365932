// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what a test asserts
export type Answer = { status: number; headers: Headers; body: any; text: string }

export type ResponseCheck = (method: string, path: string, answer: Answer) => void

export type Client = ReturnType<typeof createClient>

type Init = { headers?: Record<string, string>; body?: unknown; raw?: string | Uint8Array<ArrayBuffer> }

/** An HTTP client of a hub under test that passes every response to `check`. */
export function createClient(url: string, common: Record<string, string>, check: ResponseCheck) {
  async function send(method: string, path: string, init: Init = {}): Promise<Answer> {
    const hasJson = init.body !== undefined
    const res = await fetch(url + path, {
      method,
      headers: { ...(hasJson && { 'content-type': 'application/json' }), ...common, ...init.headers },
      redirect: 'manual',
      ...(hasJson && { body: JSON.stringify(init.body) }),
      ...(init.raw !== undefined && { body: init.raw }),
    })
    const text = await res.text()
    const isJson = res.headers.get('content-type')?.startsWith('application/json') && text !== ''
    const answer = { status: res.status, headers: res.headers, body: isJson ? JSON.parse(text) : undefined, text }
    check(method, path, answer)
    return answer
  }

  return {
    send,
    get: (path: string, init?: Init) => send('GET', path, init),
    post: (path: string, body?: unknown, init?: Init) => send('POST', path, { ...init, body }),
    put: (path: string, body?: unknown, init?: Init) => send('PUT', path, { ...init, body }),
    patch: (path: string, body?: unknown, init?: Init) => send('PATCH', path, { ...init, body }),
    delete: (path: string, init?: Init) => send('DELETE', path, init),
    with: (headers: Record<string, string>) => createClient(url, { ...common, ...headers }, check),
  }
}
