import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Clock } from '../../../kernel/clock.ts'

/** A session takes a few kilobytes. */
const SESSIONS_MAX = 1024

/** A resumed handshake skips the certificate and yields the next session: without a limit, expiry is never noticed. */
const RESUMABLE_MS = 60 * 60 * 1000

export type TlsSessions = ReturnType<typeof createTlsSessions>

/**
 * Sessions by origin: a resumed handshake costs less than half of a full one. Only a connection whose certificate was
 * accepted may store its session here.
 */
export function createTlsSessions({ now }: { now: Clock }) {
  const sessions = new BoundedMap<string, { session: Buffer; verifiedAt: number }>(SESSIONS_MAX)

  function findResumable(origin: string) {
    const stored = sessions.get(origin)
    return stored && now().getTime() - stored.verifiedAt < RESUMABLE_MS ? stored : undefined
  }

  return {
    find: (origin: string): Buffer | undefined => findResumable(origin)?.session,

    /** After a failed handshake: some servers fail at a session that they do not recognize, and would do so each time. */
    delete: (origin: string): void => void sessions.delete(origin),

    /** The session of a resumed connection keeps the time at which the certificate was verified. */
    store(origin: string, session: Buffer, { isResumed }: { isResumed: boolean }): void {
      const verifiedAt = isResumed ? findResumable(origin)?.verifiedAt : now().getTime()
      if (verifiedAt === undefined) sessions.delete(origin)
      else sessions.set(origin, { session, verifiedAt })
    },
  }
}
