import type { Clock } from '../../../kernel/clock.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import { afterCommit, type Pool, type Tx } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import { newId, toFirstId } from '../../../kernel/ids.ts'
import { type Change, listChanges } from '../../audit/changes.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireScope } from '../../auth/principal.ts'
import { lockOrganization } from '../../organizations/service.ts'
import { clearFailures } from '../endpoints/health-store.ts'
import { newSecret } from '../endpoints/new-secret.ts'
import { endPause } from '../endpoints/pauses-store.ts'
import { toSecretPlace } from '../endpoints/secret-place.ts'
import type { DeliveryLog } from '../log/service.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'
import type { Inspector, UpdateInspector } from './schemas.ts'
import * as store from './store.ts'
import { verify } from './verification.ts'

/** An inspector holds the content of messages, so that it and its log are deleted a day after its creation. */
const LIFE_HOURS = 24
const REQUESTS_SHOWN = 50
/** Ids have the time of a process. */
const CLOCK_SKEW_MS = 3_600_000
const DELETE_BATCH_SIZE = 100
const NAME = 'Receive here'

type Dependencies = {
  sql: Pool
  now: Clock
  sealing: Sealing
  audit: Audit
  deliveryLog: Pick<DeliveryLog, 'revealInspected' | 'testInspector'>
  wakeUps: WakeUps
  /** For how long events are kept. */
  eventDays: number
  forgetEndpoint: (endpoint: EndpointKey) => void
  isAvailable: boolean
}

export type Inspectors = ReturnType<typeof createInspectors>

/**
 * The inspector: an endpoint inside the hub, which shows a person each signed request and answers as that person chooses.
 * An organization has at most one. It is a row of `webhook_endpoints`, so that events, attempts, retries and pauses are those of
 * every endpoint; but it has no address, no connection is made for it (`attempts/inspector.ts`), and only the dashboard knows
 * it: the API's routes, quotas and diagnostics leave it out.
 */
export function createInspectors(dependencies: Dependencies) {
  const { sql, now, sealing, audit, deliveryLog, wakeUps, eventDays, forgetEndpoint, isAvailable } = dependencies

  function requireScopes(principal: Principal): void {
    requireScope(principal, 'webhooks:write')
    requireScope(principal, 'messages:read')
  }

  async function find(db: Pool | Tx, organizationId: string): Promise<store.StoredInspector | undefined> {
    return isAvailable ? store.findInspector(db, { organizationId, lifeHours: LIFE_HOURS }) : undefined
  }

  async function require(organizationId: string): Promise<store.StoredInspector> {
    const inspector = await find(sql, organizationId)
    if (!inspector) throw notFound('inspector_not_found')
    return inspector
  }

  function openSecret(organizationId: string, { id, secret }: store.StoredInspector): string | undefined {
    return sealing.open(secret, toSecretPlace(organizationId, id))
  }

  async function show(organizationId: string): Promise<{ is_available: boolean; inspector: Inspector | null }> {
    const found = await find(sql, organizationId)
    if (!found) return { is_available: isAvailable, inspector: null }
    const { secret: _sealed, ...inspector } = found
    const firstId = toFirstId(new Date(Date.parse(found.created_at) - CLOCK_SKEW_MS))
    const page = { organizationId, endpointId: found.id, firstId, limit: REQUESTS_SHOWN }
    const requests = await store.listRequests(sql, page)
    const secret_last4 = openSecret(organizationId, found)?.slice(-4) ?? null
    return { is_available: true, inspector: { ...inspector, secret_last4, requests } }
  }

  async function recordChange(
    tx: Tx,
    { organizationId, initiator }: Principal,
    change: {
      action: 'inspector.created' | 'inspector.updated' | 'inspector.deleted'
      id: string
      details?: { changes: Record<string, Change> }
    },
  ): Promise<void> {
    const { action, id, details } = change
    const target = { type: 'webhook', id }
    await audit.record(tx, { organizationId, initiator, action, target, ...(details && { details }) })
    afterCommit(tx, () => forgetEndpoint({ organizationId, endpointId: id }))
  }

  return {
    async show(principal: Principal) {
      requireScopes(principal)
      return show(principal.organizationId)
    },

    /** Creates the inspector, or finds the one that a concurrent request has created. */
    async create(principal: Principal) {
      requireScopes(principal)
      if (!isAvailable) throw notFound('inspector_off')
      const { organizationId } = principal
      await sql.begin(async (tx) => {
        await lockOrganization(tx, organizationId)
        if (await find(tx, organizationId)) return
        // One whose time is over may still be there.
        await store.deleteInspector(tx, organizationId)
        const id = newId(now())
        const sealedSecret = sealing.seal(newSecret(), toSecretPlace(organizationId, id))
        await store.insertInspector(tx, { organizationId, id, name: NAME, sealedSecret })
        await recordChange(tx, principal, { action: 'inspector.created', id })
      })
      return show(organizationId)
    },

    /** Sets what it answers from now on, or resumes it after it was paused. */
    async update(principal: Principal, { answer, status }: UpdateInspector) {
      requireScopes(principal)
      const { organizationId, initiator } = principal
      const { id, answer: before } = await require(organizationId)
      const key = { organizationId, endpointId: id }
      const isResumed = status === 'active'
      await sql.begin(async (tx) => {
        if (isResumed) await clearFailures(tx, key)
        const updated = await store.updateInspector(tx, key, { answer: answer ?? null, isResumed })
        if (!updated) throw notFound('inspector_not_found')
        const wasPaused = isResumed && updated.was === 'paused'
        if (wasPaused) await endPause(tx, key, { endedBy: initiator.actor, eventDays })
        const changes = {
          ...(answer !== undefined && listChanges({ answer: before }, { answer })),
          ...(wasPaused && listChanges({ status: updated.was }, { status: 'active' })),
        }
        await recordChange(tx, principal, { action: 'inspector.updated', id, details: { changes } })
        if (wasPaused) wakeUps.wakeAfterCommit(tx, [key])
      })
      return show(organizationId)
    },

    async delete(principal: Principal) {
      requireScopes(principal)
      const { organizationId } = principal
      return sql.begin(async (tx) => {
        const found = await find(tx, organizationId)
        if (found) await clearFailures(tx, { organizationId, endpointId: found.id })
        const deleted = found && (await store.deleteInspector(tx, organizationId))
        if (!deleted) throw notFound('inspector_not_found')
        await recordChange(tx, principal, { action: 'inspector.deleted', id: deleted.id })
        return { deleted: true as const }
      })
    },

    async sendTest(principal: Principal) {
      requireScopes(principal)
      const { id, status } = await require(principal.organizationId)
      if (status !== 'active') throw notFound('active_webhook_not_found')
      return deliveryLog.testInspector(principal, id)
    },

    /** The body of a delivery, and how each of its attempts is verified. The audit log has an entry for it. */
    async reveal(principal: Principal, deliveryId: string) {
      requireScopes(principal)
      const inspector = await require(principal.organizationId)
      const { payload, attempts } = await deliveryLog.revealInspected(principal, inspector.id, deliveryId)
      const secret = openSecret(principal.organizationId, inspector)
      const verifications = attempts.map(({ number, request_headers, timings, ended_at }) => {
        const headers: Record<string, unknown> = { ...request_headers }
        const receivedAt = new Date(Date.parse(ended_at) - (timings?.total_ms ?? 0))
        return {
          attempt: number,
          request_headers: headers,
          ...verify({ headers, body: payload.body, secret, receivedAt }),
        }
      })
      return { body_base64: payload.body?.toString('base64') ?? null, verifications }
    },

    /** Deletes inspectors at the end of their life; all of them at once if inspectors are switched off. */
    async deleteExpired(): Promise<void> {
      const expired = { lifeHours: isAvailable ? LIFE_HOURS : 0, limit: DELETE_BATCH_SIZE }
      while ((await store.deleteExpired(sql, expired)) === DELETE_BATCH_SIZE);
    },
  }
}
