import type { FastifyInstance } from 'fastify'
import type { Hold } from '../../domains/hold/service.ts'
import { AppError } from '../../kernel/errors.ts'
import { addSyncHook } from '../../kernel/http/sync-hook.ts'

/** A person has to release the hold, so that a client may take its time. */
const RETRY_AFTER_SECONDS = 30

/** Refuses what would write at the upstream or at the payment provider, before its handler reserves or stores anything. */
export function installHold(app: FastifyInstance, { isHeld }: Pick<Hold, 'isHeld'>): void {
  addSyncHook(app, 'preHandler', ({ method, routeOptions }) => {
    const { access } = routeOptions.config
    if (!access || !isHeld()) return
    const writesOutside = 'facade' in access ? method !== 'GET' : access.writesOutside === true
    if (writesOutside) throw new AppError('NOT_READY', 'held', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  })
}
