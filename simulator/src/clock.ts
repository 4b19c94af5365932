/**
 * Time and everything that happens later.
 *
 * A live clock follows the wall and runs each task when its moment comes. A
 * manual clock stands still: tasks run only inside `advance` and `settle`, in
 * the order of their moments, each awaited before the next. So a test that
 * advances by eight days sees eight days of retries, in order, at once.
 */
export interface Clock {
  now(): number
  after(delayMs: number, task: Task): void
  /** Moves time forward and runs what falls due on the way. */
  advance(ms: number): Promise<void>
  /** Runs what is already due on a manual clock; a live clock does that by itself. */
  settle(): Promise<void>
  /** Forgets all that was to happen. */
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

/** Node fires a longer timer at once; such a timer is armed again when this one ends. */
const TIMER_MAX_MS = 2 ** 31 - 1

export function createClock(mode: ClockMode, startAt?: number): Clock {
  const queue = createQueue()
  let offset = startAt === undefined ? 0 : startAt - Date.now()
  let standing = startAt ?? Date.now()
  let timer: NodeJS.Timeout | undefined
  let run: Promise<void> | undefined

  const now = () => (mode === 'live' ? Date.now() + offset : standing)

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
    standing = Math.max(standing, time)
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
      // A run in progress picks up what is due now. Waiting for it here would
      // lock up a receiver that calls the control API while it is being called.
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
