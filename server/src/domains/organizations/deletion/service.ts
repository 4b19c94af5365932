import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidRequest, notFound, toIssue } from '../../../kernel/errors.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import { lockOrganization } from '../store.ts'
import * as store from './store.ts'

const GRACE_DAYS = 7
/** Renewed after every batch. */
const LEASE_SECONDS = 120
/** Longer than any request, attempt or statement that began before the organization was shut off. */
const QUIET_SECONDS = 600

export type { ClaimedDeletion } from './store.ts'
export type OrganizationDeletions = ReturnType<typeof createOrganizationDeletions>

/**
 * When an organization is deleted. `offboarding` decides what happens then.
 *
 * waiting: an owner has requested it, and `deletes_at` is seven days later. Everything works, and any owner may cancel.
 * claimed: the time has come, and a process asks whether the organization still pays. Everything works as before.
 * begun: a process shuts the organization off. It cannot be canceled any more.
 * shut off: nothing new begins for the organization. What had begun ends within ten minutes.
 * Then its rows are deleted, in batches, and the organization last. A killed process leaves a lease that expires, and the
 * next one begins again at the same state.
 */
export function createOrganizationDeletions({ sql, audit }: { sql: Pool; audit: Audit }) {
  function buildEntry(organizationId: string, initiator: Initiator) {
    return { organizationId, initiator, target: { type: 'organization', id: organizationId } }
  }

  async function keep(organizationId: string, initiator: Initiator, details: Record<string, string> = {}) {
    return sql.begin(async (tx) => {
      if (!(await store.unmarkForDeletion(tx, organizationId))) return false
      const entry = buildEntry(organizationId, initiator)
      await audit.record(tx, { ...entry, action: 'organization.deletion_canceled', details })
      return true
    })
  }

  return {
    /** A repeated request changes nothing: the first date holds. `isNew` tells which it was. */
    async request(organizationId: string, name: string, initiator: Initiator) {
      return sql.begin(async (tx) => {
        const organization = await lockOrganization(tx, organizationId)
        if (!organization) throw notFound('organization_not_found')
        if (organization.name !== name) throw wrongName()
        if (organization.deletes_at !== null) {
          return { organization, deletesAt: organization.deletes_at, isNew: false }
        }
        const deletesAt = await store.markForDeletion(tx, organizationId, GRACE_DAYS)
        const details = { name, deletes_at: deletesAt }
        const entry = buildEntry(organizationId, initiator)
        await audit.record(tx, { ...entry, action: 'organization.deletion_requested', details })
        return { organization, deletesAt, isNew: true }
      })
    },

    async cancel(organizationId: string, initiator: Initiator): Promise<void> {
      if (!(await keep(organizationId, initiator))) throw notFound('deletion_not_found')
    },

    /** For the process that has claimed the deletion. False if it was canceled since, or another process has begun it. */
    giveUp: (organizationId: string, reason: string, initiator: Initiator) =>
      keep(organizationId, initiator, { reason }),

    listPending: () => store.listPending(sql),

    claimDue: () => store.claimDue(sql, { leaseSeconds: LEASE_SECONDS, quietSeconds: QUIET_SECONDS }),

    /** False if the deletion was canceled since it was claimed. */
    begin: (organizationId: string) => store.markBegun(sql, organizationId),

    renewLease: (organizationId: string) => store.renewLease(sql, organizationId, LEASE_SECONDS),

    markShutOff: (organizationId: string) => store.markShutOff(sql, organizationId),

    /** Once none of its rows is left. */
    finish: (organizationId: string) => store.deleteOrganization(sql, organizationId),
  }
}

function wrongName() {
  return invalidRequest('organization_name_wrong', { issues: [toIssue('/name', 'not_organization_name')] })
}
