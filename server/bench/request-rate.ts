import { Pool } from 'undici'

type Plan = { path: string; tokens: string[]; requestsPerToken: number; concurrency: number }

/** Sends a fixed number of requests with a fixed concurrency, and returns the number of responses per second. */
export async function measureRequestRate(url: string, plan: Plan): Promise<number> {
  await using pool = disposable(new Pool(url, { connections: plan.concurrency }))
  const total = plan.tokens.length * plan.requestsPerToken
  let next = 0
  async function worker(): Promise<void> {
    for (let i = next++; i < total; i = next++) {
      const authorization = `Bearer ${plan.tokens[i % plan.tokens.length]}`
      const res = await pool.requests.request({ path: plan.path, method: 'GET', headers: { authorization } })
      await res.body.dump()
      if (res.statusCode !== 200) throw new Error(`A request of the benchmark got ${res.statusCode}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: plan.concurrency }, worker))
  return total / ((performance.now() - startedAt) / 1000)
}

function disposable(requests: Pool) {
  return { requests, [Symbol.asyncDispose]: () => requests.close() }
}
