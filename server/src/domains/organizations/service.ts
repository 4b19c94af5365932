import type { Language } from '@hubline/locales/languages.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { Audit } from '../audit/service.ts'
import * as store from './store.ts'

/** For the transactions and reads of other domains. */
export const { findOrganization, lockOrganization } = store

type Dependencies = { sql: Pool; now: Clock; audit: Audit }

type NewOrganization = { name: string; initiator: Initiator; language?: Language; timeZone?: string }

export type { LockedOrganization } from './store.ts'
export type Organizations = ReturnType<typeof createOrganizations>

export function createOrganizations({ sql, now, audit }: Dependencies) {
  async function create(
    tx: Tx,
    { name, initiator, language = 'en', timeZone = 'UTC' }: NewOrganization,
  ): Promise<{ id: string }> {
    const id = newId(now())
    await store.insertOrganization(tx, { id, name, language, timeZone })
    await audit.record(tx, {
      organizationId: id,
      initiator,
      action: 'organization.created',
      target: { type: 'organization', id },
      details: { name },
    })
    return { id }
  }

  return {
    create,

    find: (id: string) => store.findOrganization(sql, id),

    /** With its color and its logo, for the export. */
    findKept: (id: string) => store.findKeptOrganization(sql, id),

    async findLogo(id: string): Promise<store.LogoFile> {
      const logo = await store.findLogo(sql, id)
      if (!logo) throw notFound('logo_not_found')
      return logo
    },

    async listForUser(userId: string) {
      return store.listUserOrganizations(sql, userId)
    },

    async exists(id: string): Promise<boolean> {
      return store.organizationExists(sql, id)
    },
  }
}
