/**
 * A clock and its scheduled tasks.
 *
 * A live clock follows real time and runs each task when it is due. A manual
 * clock stands still: tasks run only inside `advance` and `settle`, in the order
 * of their times, each awaited before the next.
 */
export interface Clock {
  now(): number
  after(delayMs: number, task: Task): void
  /** Moves time forward and runs the tasks that become due. */
  advance(ms: number): Promise<void>
  /** Runs the tasks that are due on a manual clock; a live clock runs them by itself. */
  settle(): Promise<void>
  /** Removes all tasks. */
  clear(): void
  pending(): number
  readonly mode: ClockMode
}

export type ClockMode = 'live' | 'manual'
export type Task = () => void | Promise<void>

interface Entry {
  time: number
  task: Task
}

/** Node fires a longer timer immediately, so a longer wait is split into several timers. */
const TIMER_MAX_MS = 2 ** 31 - 1

export function createClock(mode: ClockMode, startAt?: number): Clock {
  const queue = createQueue()
  let offset = startAt === undefined ? 0 : startAt - Date.now()
  let manualTime = startAt ?? Date.now()
  let timer: NodeJS.Timeout | undefined
  let run: Promise<void> | undefined

  const now = () => (mode === 'live' ? Date.now() + offset : manualTime)

  function arm(): void {
    clearTimeout(timer)
    const next = queue.peek()
    if (mode !== 'live' || !next) return
    timer = setTimeout(fire, Math.min(Math.max(0, next.time - now()), TIMER_MAX_MS))
    timer.unref()
  }

  function fire(): void {
    for (let next = queue.peek(); next && next.time <= now(); next = queue.peek()) void queue.take()?.task()
    arm()
  }

  function moveTo(time: number): void {
    manualTime = Math.max(manualTime, time)
    offset = Math.max(offset, time - Date.now())
  }

  async function runUntil(target: number): Promise<void> {
    for (let next = queue.peek(); next && next.time <= target; next = queue.peek()) {
      moveTo(next.time)
      await queue.take()?.task()
    }
    moveTo(target)
    arm()
  }

  return {
    mode,
    now,
    after(delayMs, task) {
      queue.add({ time: now() + delayMs, task })
      arm()
    },
    async advance(ms) {
      while (run) await run
      run = runUntil(now() + ms).finally(() => {
        run = undefined
      })
      await run
    },
    async settle() {
      // A run in progress also runs the tasks that are due now. Awaiting it here would
      // deadlock a receiver that calls the control API during a webhook request.
      if (mode === 'manual' && !run) await this.advance(0)
    },
    clear() {
      queue.clear()
      arm()
    },
    pending: () => queue.size(),
  }
}

/** Sorted by time, then by order of insertion. */
function createQueue() {
  let entries: Entry[] = []

  return {
    add(entry: Entry): void {
      // Most tasks are due after those already queued.
      const at = entries.findLastIndex((other) => other.time <= entry.time) + 1
      entries.splice(at, 0, entry)
    },
    take: () => entries.shift(),
    peek: () => entries[0],
    clear: () => {
      entries = []
    },
    size: () => entries.length,
  }
}
