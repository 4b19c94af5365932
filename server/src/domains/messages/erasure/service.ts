import type { WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { findMediaId } from '../console/detail.ts'
import * as store from './store.ts'

const SCANNED_AT_ONCE = 1000

export type MessageOfPerson = Omit<store.Candidate, 'content'> & { mediaId: string | null }
export type MessageErasure = ReturnType<typeof createMessageErasure>

/** Erases a person from the message log. Ids, statuses, times and the upstream's ids stay. */
export function createMessageErasure({ sql }: { sql: Pool }) {
  return {
    /** Messages that may be a person's, and the id up to which the log was looked through: null at the end of the window. */
    async scan(place: WindowPlace & { organizationId: string; identifiers: readonly string[] }) {
      const found = await store.scanMessages(sql, { ...place, limit: SCANNED_AT_ONCE })
      const candidates = found.filter(({ candidate_id }) => candidate_id !== null)
      return {
        end: found[0]?.scan_end ?? null,
        messages: candidates.map(({ content, ...message }): MessageOfPerson => {
          return { ...message, mediaId: findMediaId({ type: message.type, content }) }
        }),
      }
    },

    async erase(tx: Tx, organizationId: string, messages: readonly store.ErasedMessage[]) {
      const erased = messages.length === 0 ? [] : await store.eraseMessages(tx, organizationId, messages)
      const sent = erased.filter(({ direction }) => direction === 'outbound').length
      return { sent, received: erased.length - sent, left: messages.length - erased.length }
    },
  }
}
