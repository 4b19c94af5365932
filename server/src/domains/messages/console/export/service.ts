import type { Clock } from '../../../../kernel/clock.ts'
import type { Pool } from '../../../../kernel/db/pool.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import type { Audit } from '../../../audit/service.ts'
import { type Principal, requireScope } from '../../../auth/principal.ts'
import type { Auth } from '../../../auth/service.ts'
import { type LogFilter, parseMessageId, toLogFilter } from '../filter.ts'
import { readBatch } from '../reading.ts'
import type { ExportQuery } from '../schemas.ts'
import { type ConsoleRow, findIdsByWamid, findMessages } from '../store.ts'
import { createLineWriter, toChunks } from './lines.ts'
import * as store from './store.ts'

const BATCH_SIZE = 500
/** A content may have a megabyte, and all of a batch are in memory. */
const BATCH_SIZE_WITH_CONTENT = 25
/** Longer than a client may take for one batch, after which it is disconnected. */
const LEASE_SECONDS = 120

type Dependencies = { sql: Pool; now: Clock; auth: Pick<Auth, 'hasScopes'>; audit: Audit; retentionDays: number }

export type MessageExports = ReturnType<typeof createMessageExports>

/**
 * Exports the log batch by batch, as fast as the client reads, and for as long as the session may. The audit log has the
 * begin of each export before its first byte, and its end with the count, also if the client left.
 */
export function createMessageExports({ sql, now, auth, audit, retentionDays }: Dependencies) {
  async function* readBatches(filter: LogFilter, query: ExportQuery): AsyncGenerator<ConsoleRow[]> {
    const withContent = query.content
    if (query.id !== undefined) {
      const given = parseMessageId(query.id)
      const ids = 'id' in given ? [given.id] : await findIdsByWamid(sql, filter.organizationId, given.wamid)
      yield await findMessages(sql, { filter, ids, withContent })
      return
    }
    const limit = withContent ? BATCH_SIZE_WITH_CONTENT : BATCH_SIZE
    let before: string | null = null
    do {
      const batch = await readBatch(sql, { filter, before, limit, withContent, now: now(), retentionDays })
      before = batch.next
      yield batch.rows
    } while (before !== null)
  }

  async function record(
    { organizationId, initiator }: Principal,
    action: 'messages.export_started' | 'messages.exported',
    id: string,
    details: Record<string, string | number | boolean>,
  ): Promise<void> {
    const target = { type: 'message_export', id }
    await sql.begin((tx) => audit.record(tx, { organizationId, initiator, action, target, details }))
  }

  return {
    /** Throws before the first byte if another export runs. */
    async start(principal: Principal, query: ExportQuery): Promise<AsyncGenerator<string>> {
      requireScope(principal, 'messages:read')
      const { organizationId } = principal
      const filter = toLogFilter(organizationId, query)
      if (query.id !== undefined) parseMessageId(query.id)
      const key = { organizationId, id: newId(now()) }
      if (!(await store.claimExport(sql, { ...key, leaseSeconds: LEASE_SECONDS }))) throw exportRuns()
      try {
        await record(principal, 'messages.export_started', key.id, { ...query })
      } catch (err) {
        await store.deleteExport(sql, key)
        throw err
      }
      const lines = writeLines(principal, key, filter, query)
      // A generator that has begun releases the lease, whenever the client leaves.
      await lines.next()
      return lines
    },
  }

  async function* writeLines(
    principal: Principal,
    key: store.ExportKey,
    filter: LogFilter | undefined,
    query: ExportQuery,
  ): AsyncGenerator<string> {
    const { head, toLine } = createLineWriter(query.format, query.content)
    let count = 0
    let complete = false
    try {
      yield ''
      if (head !== '') yield head
      for await (const rows of filter ? readBatches(filter, query) : []) {
        if (!(await store.renewExport(sql, { ...key, leaseSeconds: LEASE_SECONDS }))) throw exportRuns()
        if (!(await auth.hasScopes(principal, ['messages:read']))) throw accessEnded()
        if (rows.length === 0) continue
        count += rows.length
        yield* toChunks(rows, toLine)
      }
      complete = true
    } finally {
      await store.deleteExport(sql, key)
      await record(principal, 'messages.exported', key.id, { ...query, count, complete })
    }
  }
}

function accessEnded(): AppError {
  return new AppError('UNAUTHORIZED', 'The session has ended, or may not read messages any more.')
}

function exportRuns(): AppError {
  const message = 'An export of this organization is running. Begin another one when it has ended.'
  return new AppError('OPERATION_IN_PROGRESS', message)
}
