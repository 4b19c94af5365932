import type { Clock } from '../../../kernel/clock.ts'

/** A few kilobytes each. */
const SESSIONS_MAX = 1024

/** A resumed session skips the certificate, and each gives the next: one that has expired is to be noticed some day. */
const RESUMABLE_MS = 60 * 60 * 1000

export type TlsSessions = ReturnType<typeof createTlsSessions>

/**
 * What TLS needs to greet a receiver that it knows, at less than half the price of a first greeting. Only sessions of
 * connections whose certificate was accepted may come in here.
 */
export function createTlsSessions({ now }: { now: Clock }) {
  /** The one that was remembered longest ago first. */
  const sessions = new Map<string, { session: Buffer; verifiedAt: number }>()

  function findFresh(origin: string) {
    const known = sessions.get(origin)
    return known && now().getTime() - known.verifiedAt < RESUMABLE_MS ? known : undefined
  }

  return {
    find: (origin: string): Buffer | undefined => findFresh(origin)?.session,

    /** For a handshake that failed, as some servers stumble over a session and would do so each time. */
    forget: (origin: string): void => void sessions.delete(origin),

    remember(origin: string, session: Buffer, { isResumed }: { isResumed: boolean }): void {
      const verifiedAt = isResumed ? findFresh(origin)?.verifiedAt : now().getTime()
      sessions.delete(origin)
      if (verifiedAt !== undefined) sessions.set(origin, { session, verifiedAt })
      for (const oldest of sessions.keys()) {
        if (sessions.size <= SESSIONS_MAX) break
        sessions.delete(oldest)
      }
    },
  }
}
