import type { Principal } from '../../auth/principal.ts'
import type { Auth } from '../../auth/service.ts'
import type { ExportRuns } from '../../messages/console/export/export-runs.ts'
import { toChunks } from '../../messages/console/export/lines.ts'
import { type ExportSources, listSections } from './sections.ts'

type Dependencies = { auth: Pick<Auth, 'hasRole'>; exportRuns: ExportRuns; sources: ExportSources }

export type OrganizationExports = ReturnType<typeof createOrganizationExports>

/** Exports all that the hub has of an organization, one JSON object a line, for as long as the session is an owner's. */
export function createOrganizationExports({ auth, exportRuns, sources }: Dependencies) {
  return {
    /** Throws before the first byte if another export of the organization runs. */
    async start(principal: Principal): Promise<AsyncGenerator<string>> {
      const { organizationId } = principal
      const counts: Record<string, number> = {}
      return exportRuns.start(principal, {
        targetType: 'organization',
        actions: { started: 'organization.export_started', ended: 'organization.exported' },
        details: {},
        mayGoOn: () => auth.hasRole(principal, 'owner'),
        async *batches() {
          for (const { type, batches } of listSections(sources, organizationId)) {
            counts[type] = 0
            for await (const rows of batches) {
              counts[type] += rows.length
              yield toChunks(rows, (data) => `{"type":"${type}","data":${data}}\n`)
            }
          }
          yield [`${JSON.stringify({ type: 'end', data: { complete: true, counts } })}\n`]
        },
        summarize: () => ({ counts }),
      })
    },
  }
}
