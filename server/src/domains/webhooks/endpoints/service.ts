import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { resealAll } from '../../../kernel/crypto/reseal.ts'
import type { SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Destinations } from '../../../kernel/net/vet.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import type { Billing } from '../../billing/service.ts'
import type { EventKind } from '../../events/catalogue.ts'
import * as store from './store.ts'

export const SECRET_WARNING = 'Store the secret now: it cannot be shown again.'

export type EndpointPlan = {
  name: string
  url: string
  eventTypes: readonly EventKind[]
  payloadMode: store.PayloadMode
  deliveryFormat: store.DeliveryFormat
  allChannels: boolean
  channelIds: readonly string[]
  /** The receiver's own choice; otherwise one is made. */
  secret?: string | undefined
}

type Dependencies = {
  sql: Pool
  now: Clock
  sealing: Sealing
  destinations: Destinations
  billing: Billing
  audit: Audit
}

export type Endpoints = ReturnType<typeof createEndpoints>

/** Where an organization's events are delivered to. */
export function createEndpoints({ sql, now, sealing, destinations, billing, audit }: Dependencies) {
  return {
    /** Resolves the name, so it runs before any transaction and not inside one. */
    async refuseDestination(url: string): Promise<void> {
      const checked = await destinations.check(url)
      if (checked.ok) return
      throw new AppError('WEBHOOK_URL_NOT_ALLOWED', checked.reason)
    },

    async create(
      tx: Tx,
      organizationId: string,
      plan: EndpointPlan,
      act: Act,
    ): Promise<{ id: string; secret: string }> {
      await billing.reserve(tx, organizationId, 'webhook_endpoints')
      const id = newId(now())
      const secret = plan.secret ?? `whsec_${randomBytes(32).toString('base64url')}`
      const sealedSecret = sealing.seal(secret, secretPlace(organizationId, id))
      await store.insertEndpoint(tx, { ...plan, organizationId, id, sealedSecret })
      await audit.record(tx, {
        organizationId,
        act,
        action: 'webhook.created',
        target: { type: 'webhook', id },
        details: { name: plan.name, url: plan.url },
      })
      return { id, secret }
    },

    /** An endpoint that is left without channels stays, and receives nothing. */
    async unlinkChannel(tx: Tx, channel: { organizationId: string; channelId: string }): Promise<void> {
      await store.unlinkChannel(tx, channel)
    },

    async countReceivers(channel: { organizationId: string; channelId: string }): Promise<number> {
      return store.countReceivers(sql, channel)
    },

    async reseal() {
      type Row = Awaited<ReturnType<typeof store.listSealed>>[number]
      return resealAll<Row>(sealing, {
        list: (page) => store.listSealed(sql, page),
        keyOf: (row) => ({ organizationId: row.organization_id, id: row.id }),
        sealedOf: (row) => row.secret,
        placeOf: (row) => secretPlace(row.organization_id, row.id),
        replace: (rows) => store.replaceSealed(sql, rows),
      })
    },
  }
}

function secretPlace(organizationId: string, rowId: string): SealedPlace {
  return { table: 'webhook_endpoints', column: 'secret', organizationId, rowId }
}
