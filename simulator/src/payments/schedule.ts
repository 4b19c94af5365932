import type { Clock } from '../clock.ts'

export type DueKind = 'cycle' | 'finalize' | 'retry' | 'pending_update' | 'checkout'

export type Schedule = ReturnType<typeof createSchedule>

/**
 * Runs work on an object at a given second. The due times are state; a timer only checks them. Work that was
 * rescheduled or canceled leaves its old timer without effect, and a restart sets all timers again.
 */
export function createSchedule(clock: Clock, due: Map<string, number>, run: (kind: DueKind, id: string) => void) {
  function setTimer(key: string, at: number): void {
    clock.after(Math.max(0, at * 1_000 - clock.now()), () => {
      if (due.get(key) !== at) return
      due.delete(key)
      const [kind = '', id = ''] = key.split(':')
      run(kind as DueKind, id)
    })
  }

  return {
    at(kind: DueKind, id: string, second: number): void {
      due.set(`${kind}:${id}`, second)
      setTimer(`${kind}:${id}`, second)
    },

    cancel(kind: DueKind, id: string): void {
      due.delete(`${kind}:${id}`)
    },

    /** After a restart, overdue work runs at once, in the order of its due times. */
    resume(): void {
      for (const [key, at] of [...due].sort(([, a], [, b]) => a - b)) setTimer(key, at)
    },
  }
}
