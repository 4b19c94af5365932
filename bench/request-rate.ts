import { Pool } from 'undici'
import type { Round } from './rounds.ts'

type Plan = { path: string; tokens: string[]; requests: number; concurrency: number }

/** Sends a fixed number of requests with a fixed concurrency, with each token in turn, and counts responses per second. */
export async function measureRequestRate(url: string, plan: Plan): Promise<Round> {
  await using pool = disposable(new Pool(url, { connections: plan.concurrency }))
  let next = 0
  async function worker(): Promise<void> {
    for (let i = next++; i < plan.requests; i = next++) {
      const authorization = `Bearer ${plan.tokens[i % plan.tokens.length]}`
      const res = await pool.requests.request({ path: plan.path, method: 'GET', headers: { authorization } })
      await res.body.dump()
      if (res.statusCode !== 200) throw new Error(`A request of the benchmark got ${res.statusCode}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: plan.concurrency }, worker))
  // The load runs in this process too, so CPU time would not be that of the server.
  return { perSecond: plan.requests / ((performance.now() - startedAt) / 1000), cpuMicros: 0 }
}

function disposable(requests: Pool) {
  return { requests, [Symbol.asyncDispose]: () => requests.close() }
}
