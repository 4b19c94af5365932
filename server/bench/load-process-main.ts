import { Pool } from 'undici'
import type { Plan, Posted } from './load-process.ts'

/**
 * Posts the load from a separate process, so that the cost of the requests does
 * not count for the server in the benchmark's process. It gets a plan, replies
 * `ready`, and posts it after the message `go`.
 */
let plan: Plan | undefined

process.on('message', async (message: Plan | 'go') => {
  if (message !== 'go') {
    plan = message
    process.send?.('ready')
  } else if (plan) process.send?.(await post(plan))
})

async function post({ url, posts, concurrency, status }: Plan): Promise<Posted> {
  const pool = new Pool(url, { connections: concurrency })
  let next = 0
  async function worker(): Promise<void> {
    for (let one = posts[next++]; one !== undefined; one = posts[next++]) {
      const answer = await pool.request({ ...one, method: 'POST' })
      const text = await answer.body.text()
      if (answer.statusCode !== status) throw new Error(`A post got ${answer.statusCode}: ${text}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  return { seconds }
}
