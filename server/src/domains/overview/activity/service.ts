import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidPart, toIssue } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { type ActivityQuery, type ChannelActivity, IDS_MAX } from './schemas.ts'
import * as store from './store.ts'

export type Activity = ReturnType<typeof createActivity>

/** When channels received and sent last, and how many endpoints they have. */
export function createActivity({ sql, cursors }: { sql: Pool; cursors: Cursors }) {
  return {
    async page(organizationId: string, { limit, cursor, ids }: ActivityQuery) {
      if (ids !== undefined) {
        const named = { organizationId, ids: parseIds(ids), before: null, limit: IDS_MAX }
        return { channels: (await store.listActivity(sql, named)).map(toActivity), next_cursor: null }
      }
      const list = ['channel-activity', organizationId]
      const before = cursor === undefined ? null : cursors.decode(cursor, list)
      const rows = await store.listActivity(sql, { organizationId, ids: null, before, limit: limit + 1 })
      const { page, next_cursor } = cursors.toPage(rows, limit, list)
      return { channels: page.map(toActivity), next_cursor }
    },
  }
}

function parseIds(text: string): string[] {
  const ids = text.split(',')
  if (ids.every(isUuid)) return ids
  throw invalidPart('query', [toIssue('/ids', 'not_uuids')])
}

function toActivity({ id: channel_id, ...activity }: store.ActivityRow): ChannelActivity {
  return { channel_id, ...activity }
}
