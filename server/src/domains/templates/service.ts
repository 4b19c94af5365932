import type { Clock } from '../../kernel/clock.ts'
import type { Cursors } from '../../kernel/crypto/cursor.ts'
import type { Pool } from '../../kernel/db/pool.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import type { ChannelConnections } from '../channels/connection/service.ts'
import type { CreateTemplate, TemplateQuery } from './schemas.ts'
import type { TemplateStates } from './sendability/service.ts'

type Dependencies = {
  sql: Pool
  now: Clock
  upstream: Upstream
  connections: ChannelConnections
  cursors: Cursors
  audit: Audit
  templateStates: Pick<TemplateStates, 'recordListing'>
}

export type Templates = ReturnType<typeof createTemplates>

/** Templates are stored upstream only; of those that cannot be sent the hub remembers the status. */
export function createTemplates({ sql, now, upstream, connections, cursors, audit, templateStates }: Dependencies) {
  return {
    async page(organizationId: string, channelId: string, { limit, cursor }: TemplateQuery) {
      const scope = ['templates', organizationId, channelId, limit]
      const after = cursor === undefined ? undefined : cursors.decode(cursor, scope)
      const { token, wabaId } = await connections.credential(organizationId, channelId)
      const askedAt = now()
      const result = await upstream.templates.list(token, wabaId, { limit, ...(after !== undefined && { after }) })
      if (!result.ok) return connections.fail({ organizationId, id: channelId }, token, result.failure)
      const { data: templates, after: next } = result.value
      await templateStates.recordListing({ organizationId, wabaId }, templates, askedAt)
      return { templates, next_cursor: next === null ? null : cursors.encode(next, scope) }
    },

    async create({ organizationId, initiator }: Principal, channelId: string, body: CreateTemplate) {
      const { token, wabaId } = await connections.credential(organizationId, channelId)
      const result = await upstream.templates.create(token, wabaId, body)
      if (!result.ok) return connections.fail({ organizationId, id: channelId }, token, result.failure)
      const { id } = result.value
      const { name, language } = body
      await sql.begin((tx) =>
        audit.record(tx, {
          organizationId,
          initiator,
          action: 'template.created',
          target: { type: 'template', id },
          details: { channel_id: channelId, name, language },
        }),
      )
      return result.value
    },
  }
}
