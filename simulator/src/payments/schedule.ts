import type { Clock } from '../clock.ts'

/** What time alone brings about. */
export type DueKind = 'cycle' | 'finalize' | 'retry' | 'incomplete' | 'pending_update' | 'checkout'

export type Schedule = ReturnType<typeof createSchedule>

/**
 * What is to happen to an object at a second. The appointments are part of the
 * state, and a timer only reminds of one: whoever makes an appointment anew or
 * cancels it leaves the old timer without effect, and a restart sets them all
 * again.
 */
export function createSchedule(clock: Clock, due: Map<string, number>, happen: (kind: DueKind, id: string) => void) {
  function remind(key: string, at: number): void {
    clock.after(Math.max(0, at * 1_000 - clock.now()), () => {
      if (due.get(key) !== at) return
      due.delete(key)
      const [kind = '', id = ''] = key.split(':')
      happen(kind as DueKind, id)
    })
  }

  return {
    at(kind: DueKind, id: string, second: number): void {
      due.set(`${kind}:${id}`, second)
      remind(`${kind}:${id}`, second)
    },

    cancel(kind: DueKind, id: string): void {
      due.delete(`${kind}:${id}`)
    },

    /** After a restart: what fell due meanwhile happens at once, in order. */
    resume(): void {
      for (const [key, at] of [...due].sort(([, a], [, b]) => a - b)) remind(key, at)
    },
  }
}
