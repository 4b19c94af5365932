import type { FastifyReply, FastifyRequest } from 'fastify'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import { hashToken, readTokenKind } from '../../kernel/crypto/tokens.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import { toAddressKey } from '../../kernel/net/ip.ts'
import { buildRateLimitHeaders, type Limit, requireWithinLimit, type Usage } from '../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../kernel/rate-limit/store.ts'
import type { PublicLimits } from './rate-limits.ts'

const EXHAUSTED_MAX = 10_000

/**
 * Counts requests without a credential by address, and by link where the path names one. An exhausted window is
 * remembered until it ends, so that a flood of refused requests costs no statements and does not queue for its row.
 */
export function createPublicLimits({ sql, now }: { sql: Pool; now: Clock }) {
  const exhausted = new BoundedMap<string, { used: number; endsAt: number }>(EXHAUSTED_MAX)

  async function requireWithin(limit: Limit, subject: string): Promise<Usage> {
    const key = `${limit.bucket} ${subject}`
    const known = exhausted.get(key)
    const seconds = known ? Math.ceil((known.endsAt - now().getTime()) / 1000) : 0
    if (known && seconds > 0) requireWithinLimit(limit, { used: known.used, reset_seconds: seconds })
    const usage = await countRequest(sql, limit, subject)
    if (usage.used > limit.requests) {
      exhausted.set(key, { used: usage.used, endsAt: now().getTime() + usage.reset_seconds * 1000 })
    }
    requireWithinLimit(limit, usage)
    return usage
  }

  return async function countPublicRequest(
    { perAddress, perLink }: PublicLimits,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const usage = await requireWithin(perAddress, toAddressKey(request.ip))
    reply.headers(buildRateLimitHeaders(perAddress, usage))
    const link = readLink(request)
    if (perLink && link !== undefined) await requireWithin(perLink, hashToken(link).toString('base64url'))
  }
}

/** The link in the path. A text that is not a token leads to no link. */
function readLink({ params }: FastifyRequest): string | undefined {
  const { token } = params as { token?: string }
  return token !== undefined && readTokenKind(token) !== undefined ? token : undefined
}
