const TIMEOUT_MS = 10_000

export type Probe = {
  isOk: boolean
  isHeld: boolean
  message: string
  status: number | null
  date: string | null
  ms: number
}

/** Asks a probe of the hub, which needs no key. It never rejects. */
export async function readProbe(url: string, path: '/health' | '/ready'): Promise<Probe> {
  const startedAt = performance.now()
  const measure = () => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = (await response.json().catch(() => ({}))) as {
      data?: { status?: unknown }
      error?: { message?: string }
    }
    const message = body.error?.message ?? (response.ok ? 'ok' : `it answered ${response.status}`)
    const { ok: isOk, status, headers } = response
    // A hub on hold is ready for callbacks alone.
    const isHeld = isOk && body.data?.status === 'held'
    return { isOk, isHeld, message, status, date: headers.get('date'), ms: measure() }
  } catch (err) {
    return { isOk: false, isHeld: false, message: explainFailure(err), status: null, date: null, ms: measure() }
  }
}

/** `fetch` says only that it failed; its cause says why. */
export function explainFailure(err: unknown): string {
  const { name, message, cause } = err as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return 'it did not answer in time'
  return cause?.code ?? cause?.message ?? message
}
