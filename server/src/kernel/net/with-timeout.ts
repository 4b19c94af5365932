/**
 * The promise's value, or `'timeout'` if it takes longer than `ms`. Rejects with the signal's reason if the caller aborts
 * first. The promise itself continues, and its later failure is ignored.
 */
export function withTimeout<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<T | 'timeout'> {
  const { promise: result, resolve, reject } = Promise.withResolvers<T | 'timeout'>()
  const abort = () => reject(signal?.reason)
  const timer = setTimeout(resolve, ms, 'timeout')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  promise.then(resolve, reject)
  return result.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  })
}
