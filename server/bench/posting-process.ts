import { Pool } from 'undici'
import type { Plan, Posted } from './posting.ts'

/**
 * The load, in a process of its own: what it costs to make requests is then not
 * part of what the server in the benchmark's process costs. It is handed a plan,
 * says that it has it, and posts it at the word.
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
      if (answer.statusCode !== status) throw new Error(`A post was answered ${answer.statusCode}: ${text}`)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  return { seconds }
}
