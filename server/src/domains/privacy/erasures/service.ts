import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { PageQuery } from '../../../kernel/http/schemas.ts'
import { newId } from '../../../kernel/ids.ts'
import { perHour, perMinute, requireWithinLimit } from '../../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../../kernel/rate-limit/store.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireSession } from '../../auth/principal.ts'
import { lockOrganization } from '../../organizations/service.ts'
import { toCounts } from './counts.ts'
import { isSamePerson, type Person, parsePerson } from './person.ts'
import { PERSON, toPersonPlace } from './person-place.ts'
import type { createErasurePreviews } from './preview.ts'
import type { ErasePerson, Erasure, ErasurePreview } from './schemas.ts'
import * as store from './store.ts'

const RUNNING_MAX = 20
/** A preview reads the logs of the organization. */
const PREVIEWS = perMinute('erasure-previews', 10)
/** An erasure reads all logs of the organization: one may not keep the workers from those of others. */
const ERASURES = perHour('erasures', 60)

type Dependencies = {
  sql: Pool
  now: Clock
  sealing: Sealing
  cursors: Cursors
  audit: Audit
  previews: ReturnType<typeof createErasurePreviews>
}

export type Erasures = ReturnType<typeof createErasures>

/** Erasures of people from the data of an organization. The worker runs them; see stages.ts for what each erases. */
export function createErasures({ sql, now, sealing, cursors, audit, previews }: Dependencies) {
  function findSame(running: { id: string; person: string }[], organizationId: string, person: Person) {
    return running.find(({ id, person: sealed }) => {
      const opened = sealing.open(sealed, toPersonPlace({ organizationId, id }))
      return opened !== undefined && isSamePerson(person, JSON.parse(opened))
    })
  }

  async function find(organizationId: string, id: string): Promise<Erasure> {
    const erasure = await store.findErasure(sql, { organizationId, id })
    if (!erasure) throw notFound('erasure_not_found')
    return toErasure(erasure)
  }

  return {
    find,

    async preview(organizationId: string, body: ErasePerson): Promise<ErasurePreview> {
      const person = parsePerson(body)
      requireWithinLimit(PREVIEWS, await countRequest(sql, PREVIEWS, organizationId))
      return previews.preview(organizationId, person)
    },

    /** The same person while one is running gets the running one. */
    async request(principal: Principal, body: ErasePerson): Promise<Erasure> {
      const person = parsePerson(body)
      const { organizationId, initiator } = principal
      requireWithinLimit(ERASURES, await countRequest(sql, ERASURES, organizationId))
      const id = await sql.begin(async (tx) => {
        await lockOrganization(tx, organizationId)
        const running = await store.listRunning(tx, organizationId)
        const same = findSame(running, organizationId, person)
        if (same) return same.id
        if (running.length >= RUNNING_MAX) throw tooManyRunning()
        const key = { organizationId, id: newId(now()) }
        const requestedBy = { id: requireSession(principal).userId, name: initiator.actor.name }
        const sealed = sealing.seal(JSON.stringify(person), toPersonPlace(key))
        await store.insertErasure(tx, { ...key, person: sealed, requestedBy })
        const target = { type: 'erasure', id: key.id }
        await audit.record(tx, { organizationId, initiator, action: 'person.erasure_requested', target })
        return key.id
      })
      return find(organizationId, id)
    },

    async page(organizationId: string, { limit, cursor }: PageQuery) {
      const list = ['erasures', organizationId]
      const before = cursor === undefined ? null : cursors.decode(cursor, list)
      const rows = await store.listErasures(sql, { organizationId, before, limit: limit + 1 })
      const { page, next_cursor } = cursors.toPage(rows, limit, list)
      return { erasures: page.map(toErasure), next_cursor }
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, ['erasures'], organizationId),

    /** Seals the people of running erasures with the first key of the ring. */
    reseal() {
      return resealColumn(sql, sealing, PERSON)
    },
  }
}

function toErasure(erasure: Erasure): Erasure {
  return { ...erasure, counts: toCounts(erasure.counts) }
}

function tooManyRunning(): AppError {
  return new AppError('OPERATION_IN_PROGRESS', 'erasures_in_progress', { parameters: { limit: RUNNING_MAX } })
}
