import type { Clock } from '../../../../kernel/clock.ts'
import type { Json, Pool } from '../../../../kernel/db/pool.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import type { AuditAction } from '../../../audit/actions.ts'
import type { Audit } from '../../../audit/service.ts'
import { type Principal, requireSession } from '../../../auth/principal.ts'
import * as store from './store.ts'

/** Longer than a client may take for one batch, after which it is disconnected. */
const LEASE_SECONDS = 120
/** A client that reads slowly must not hold the lease for longer. */
const EXPORT_SECONDS_MAX = 3600

type Details = Record<string, Json>

/** One export: what the audit log has of it, whether it may go on, and its text, batch by batch. */
type Export = {
  targetType: string
  actions: { started: AuditAction; ended: AuditAction }
  details: Details
  /** Asked before each batch. */
  mayGoOn: () => Promise<boolean>
  batches: () => AsyncIterable<Iterable<string>>
  /** The extent of an export, for the audit log: also of an export that was cut off. */
  summarize: () => Details
}

export type ExportRuns = ReturnType<typeof createExportRuns>

/**
 * Runs exports as fast as the client reads: of each organization one of its owners at a time, and one of its other members,
 * who so cannot keep an owner from the data. The audit log has the begin of each export before its first byte, and its
 * end, also if the client left.
 */
export function createExportRuns({ sql, now, audit }: { sql: Pool; now: Clock; audit: Audit }) {
  async function* write(principal: Principal, key: store.ExportKey, exported: Export): AsyncGenerator<string> {
    let complete = false
    const endsAt = now().getTime() + EXPORT_SECONDS_MAX * 1000
    try {
      yield ''
      for await (const batch of exported.batches()) {
        if (!(await store.renewExport(sql, { ...key, leaseSeconds: LEASE_SECONDS }))) throw exportRuns()
        if (!(await exported.mayGoOn())) throw accessEnded()
        for (const chunk of batch) {
          if (now().getTime() > endsAt) throw tooSlow()
          yield chunk
        }
      }
      complete = true
    } finally {
      await store.deleteExport(sql, key)
      const { details, summarize, actions } = exported
      await record(principal, actions.ended, exported, key.id, { ...details, ...summarize(), complete })
    }
  }

  async function record(
    { organizationId, initiator }: Principal,
    action: AuditAction,
    { targetType }: Export,
    id: string,
    details: Details,
  ): Promise<void> {
    const target = { type: targetType, id }
    await sql.begin((tx) => audit.record(tx, { organizationId, initiator, action, target, details }))
  }

  return {
    /** Throws before the first byte if another export under the same lease runs. */
    async start(principal: Principal, exported: Export): Promise<AsyncGenerator<string>> {
      const isOfOwner = requireSession(principal).role === 'owner'
      const key = { organizationId: principal.organizationId, isOfOwner, id: newId(now()) }
      if (!(await store.claimExport(sql, { ...key, leaseSeconds: LEASE_SECONDS }))) throw exportRuns()
      try {
        await record(principal, exported.actions.started, exported, key.id, exported.details)
      } catch (err) {
        await store.deleteExport(sql, key)
        throw err
      }
      const lines = write(principal, key, exported)
      // A generator that has begun releases the lease, whenever the client leaves.
      await lines.next()
      return lines
    },
  }
}

function accessEnded(): AppError {
  return new AppError('UNAUTHORIZED', 'export_session_ended')
}

function tooSlow(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'export_too_slow')
}

function exportRuns(): AppError {
  return new AppError('OPERATION_IN_PROGRESS', 'export_in_progress')
}
