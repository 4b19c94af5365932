import type { SimulatorControl } from '../../domains/sandbox/simulator.ts'
import type { MovedClock } from '../../kernel/db/moved-clock.ts'
import type { Hub } from '../hub.ts'

type Stage = { hub: Hub; clock: MovedClock; control: SimulatorControl; startAt: Date }

/** A credential of a request, and the address from which it comes. */
export type Caller = { headers: Record<string, string>; address: string }
type Answer<T> = { status: number; data: T; cookie: string }

export type Scene = ReturnType<typeof createScene>

/** The hub in the past: its requests, and its time, which is also that of the simulator and of the database. */
export function createScene({ hub, clock, control, startAt }: Stage) {
  let position = startAt.getTime()

  /** Conversations at the same time share the clock: each of their waits moves it on. */
  async function advance(seconds: number): Promise<void> {
    position += seconds * 1000
    await clock.moveTo(new Date(position))
    // Statuses and other callbacks that become due arrive on the way.
    await control('POST', '/clock', { advance_seconds: seconds })
  }

  async function ask<T>(caller: Caller, method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, body?: object) {
    const response = await hub.app.inject({
      method,
      url,
      remoteAddress: caller.address,
      headers: {
        ...caller.headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
    const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer: Answer<T> = { status: response.statusCode, data: response.json()?.data, cookie }
    return answer
  }

  return {
    hub,
    control,
    ask,
    advance,
    now: () => new Date(position),

    /** A request that has to succeed. */
    async call<T>(
      caller: Caller,
      method: 'GET' | 'POST' | 'PATCH' | 'PUT',
      url: string,
      body?: object,
    ): Promise<Answer<T>> {
      const answer = await ask<T>(caller, method, url, body)
      if (answer.status < 300) return answer
      throw new Error(`${method} ${url} of the sample data was answered with ${answer.status}`)
    },

    /** Waits until then. Retries that are due at the end are made there. */
    async waitUntil(time: Date): Promise<void> {
      const seconds = (time.getTime() - position) / 1000
      if (seconds > 0) await advance(seconds)
      await hub.context.engine.deliverDue()
    },

    deliver: () => hub.context.engine.deliverDue(),
    writeRequests: () => hub.context.requestLog.flush(),

    async runJobs(): Promise<void> {
      for (const job of hub.jobs) await job.run()
    },
  }
}
