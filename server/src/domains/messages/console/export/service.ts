import type { Clock } from '../../../../kernel/clock.ts'
import type { Pool } from '../../../../kernel/db/pool.ts'
import { type Principal, requireScope } from '../../../auth/principal.ts'
import type { Auth } from '../../../auth/service.ts'
import type { Contacts } from '../../contacts/service.ts'
import { type LogFilter, parseMessageId, toLogFilter } from '../filter.ts'
import { readBatch } from '../reading.ts'
import type { ExportQuery } from '../schemas.ts'
import { type ConsoleRow, findIdsByWamid, findMessages } from '../store.ts'
import type { ExportRuns } from './export-runs.ts'
import { createLineWriter, toChunks } from './lines.ts'

const BATCH_SIZE = 500
/** A content may have a megabyte, and all of a batch are in memory. */
const BATCH_SIZE_WITH_CONTENT = 25

type Dependencies = {
  sql: Pool
  now: Clock
  auth: Pick<Auth, 'hasScopes'>
  contacts: Pick<Contacts, 'find'>
  exportRuns: ExportRuns
  retentionDays: number
}

export type MessageExports = ReturnType<typeof createMessageExports>

/** Exports the message log for as long as the session may read it. */
export function createMessageExports({ sql, now, auth, contacts, exportRuns, retentionDays }: Dependencies) {
  async function* readBatches(
    filter: LogFilter,
    contactIds: string[] | null,
    query: ExportQuery,
  ): AsyncGenerator<ConsoleRow[]> {
    const withContent = query.content
    if (query.id !== undefined) {
      const given = parseMessageId(query.id)
      const ids = 'id' in given ? [given.id] : await findIdsByWamid(sql, filter.organizationId, given.wamid)
      yield await findMessages(sql, { filter, contactIds, ids, withContent })
      return
    }
    const limit = withContent ? BATCH_SIZE_WITH_CONTENT : BATCH_SIZE
    let before: string | null = null
    do {
      const batch = await readBatch(sql, { filter, contactIds, before, limit, withContent, now: now(), retentionDays })
      before = batch.next
      yield batch.rows
    } while (before !== null)
  }

  return {
    /** Throws before the first byte if another export runs. */
    async start(principal: Principal, query: ExportQuery): Promise<AsyncGenerator<string>> {
      requireScope(principal, 'messages:read')
      const filter = toLogFilter(principal.organizationId, query)
      if (query.id !== undefined) parseMessageId(query.id)
      const contactIds = filter?.people ? await contacts.find(filter, filter.people) : null
      const { head, toLine } = createLineWriter(query.format, query.content)
      let count = 0
      return exportRuns.start(principal, {
        targetType: 'message_export',
        actions: { started: 'messages.export_started', ended: 'messages.exported' },
        details: { ...query },
        mayGoOn: () => auth.hasScopes(principal, ['messages:read']),
        async *batches() {
          if (head !== '') yield [head]
          for await (const rows of filter ? readBatches(filter, contactIds, query) : []) {
            count += rows.length
            yield toChunks(rows, toLine)
          }
        },
        summarize: () => ({ count }),
      })
    },
  }
}
