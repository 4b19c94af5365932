import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type Post = { path: string; headers: Record<string, string>; body: string }

/**
 * Posts to send, the concurrency, and the expected status of each response. With `perSecond` they are sent at an even rate,
 * and wait for one another only if the server is slower.
 */
export type Plan = { url: string; posts: Post[]; concurrency: number; status: number; perSecond?: number }

/** `answers` has the duration of each post in milliseconds, and its end on the machine's monotonic clock. */
export type Posted = { seconds: number; answers: { tookMs: number; at: number }[] }

export type LoadProcess = Awaited<ReturnType<typeof startLoadProcess>>

/** Starts the process that posts, for the whole benchmark. */
export async function startLoadProcess() {
  const child = fork(join(import.meta.dirname, 'load-process-main.ts'), { execArgv: [], serialization: 'advanced' })

  async function request<T>(message: Plan | 'go'): Promise<T> {
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
    /** Calls `begin` when the process has the plan, right before the measurement. */
    async post(plan: Plan, begin: () => Promise<void>): Promise<Posted> {
      await request<'ready'>(plan)
      await begin()
      return request<Posted>('go')
    },

    async [Symbol.asyncDispose]() {
      child.disconnect()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
