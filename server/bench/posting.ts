import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Post = { path: string; headers: Record<string, string>; body: string }

/** So many posts, so many at a time, each of which must be answered with this status. */
export type Plan = { url: string; posts: Post[]; concurrency: number; status: number }
export type Posted = { seconds: number }

export type Posting = Awaited<ReturnType<typeof startPosting>>

/** The process that posts, for as long as the benchmark lasts. */
export async function startPosting() {
  const child = fork(join(import.meta.dirname, 'posting-process.ts'), { execArgv: [], serialization: 'advanced' })

  async function told<T>(message: Plan | 'go'): Promise<T> {
    const gone = new AbortController()
    const exit = once(child, 'exit', gone).then(() => Promise.reject(new Error('The process that posts has ended')))
    child.send(message)
    try {
      const [answer] = await Promise.race([once(child, 'message', gone), exit])
      return answer
    } finally {
      gone.abort()
      exit.catch(() => undefined)
    }
  }

  return {
    /** Nothing is measured before the plan is where it has to be: `begin` is called at that moment. */
    async post(plan: Plan, begin: () => Promise<void>): Promise<Posted> {
      await told<'ready'>(plan)
      await begin()
      return told<Posted>('go')
    },

    async [Symbol.asyncDispose]() {
      child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
