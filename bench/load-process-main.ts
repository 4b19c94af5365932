import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Plan, Post, Posted } from './load-process.ts'

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

async function post({ url, posts, concurrency, status, perSecond }: Plan): Promise<Posted> {
  const pool = new Pool(url, { connections: concurrency })
  const answers: Posted['answers'] = []
  const startedAt = now()
  let next = 0
  async function worker(): Promise<void> {
    for (let index = next++; index < posts.length; index = next++) {
      if (perSecond !== undefined) await delay(Math.max(0, startedAt + (index / perSecond) * 1000 - now()))
      answers[index] = await postOne(pool, posts[index] as Post, status)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (now() - startedAt) / 1000
  await pool.close()
  return { seconds, answers }
}

async function postOne(pool: Pool, one: Post, status: number): Promise<Posted['answers'][number]> {
  const begunAt = now()
  const answer = await pool.request({ ...one, method: 'POST' })
  const text = await answer.body.text()
  const at = now()
  if (answer.statusCode !== status) throw new Error(`A post got ${answer.statusCode}: ${text}`)
  return { tookMs: at - begunAt, at }
}

/** The same clock as in the other processes of the benchmark. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
