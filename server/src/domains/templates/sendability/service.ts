import type { Pool, Sql } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { isObject } from '../../../kernel/json/values.ts'
import { type TemplateReport, toReport } from './report.ts'
import * as store from './store.ts'

const DELETE_BATCH_SIZE = 5000
const TABLES = ['unsendable_templates']

/** For the statement that reserves sends, which needs no round trip for it. */
export const { buildUnsendableLookup } = store

export type AccountKey = { organizationId: string; wabaId: string }
/** `reportedAt` is when the upstream said it: for an answer, when it was asked. */
export type ReportOfAccount = AccountKey & TemplateReport & { reportedAt: Date }

export type TemplateStates = ReturnType<typeof createTemplateStates>

/**
 * Remembers which templates of an account cannot be sent, from what the upstream reports: in callbacks, in listings and in refusals
 * of sends. A template without a report is sent: the upstream decides.
 */
export function createTemplateStates({ sql }: { sql: Pool }) {
  async function record(db: Sql, reports: ReportOfAccount[]): Promise<void> {
    const latest = new Map<string, ReportOfAccount>()
    for (const report of reports.toSorted((a, b) => a.reportedAt.getTime() - b.reportedAt.getTime())) {
      latest.set(JSON.stringify([report.organizationId, report.wabaId, report.name, report.language]), report)
    }
    if (latest.size === 0) return
    const rows = [...latest.values()].map((report) => ({ ...report, reportedAt: report.reportedAt.toISOString() }))
    await store.recordStatuses(db, rows)
  }

  return {
    /** In the caller's transaction, or alone. Of several reports of a template the latest counts. */
    record,

    /** The templates of a listing as the upstream wrote them, and when it was asked for them. */
    async recordListing(account: AccountKey, templates: unknown[], reportedAt: Date): Promise<void> {
      const reports = templates.flatMap((template) => (isObject(template) && toReport(template)) || [])
      await record(
        sql,
        reports.map((report) => ({ ...account, ...report, reportedAt })),
      )
    },

    async deleteOld(): Promise<void> {
      while ((await store.deleteOld(sql, DELETE_BATCH_SIZE)) === DELETE_BATCH_SIZE);
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),
  }
}
