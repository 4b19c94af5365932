import { hash } from 'node:crypto'
import type { WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { parseExact, toExactText } from '../../../kernel/json/exact.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import { listObjects } from '../message-updates.ts'
import { buildChannelIndex, type ChangeTarget, findChangeTarget, findTargetChannels } from '../routing.ts'
import { findChannels } from '../store.ts'
import * as store from './store.ts'

const BATCH_SIZE = 500
const BATCH_BYTES_MAX = 8 * 1024 * 1024
const EMPTY = Buffer.alloc(0)

type StoredCallback = { id: string; body: Buffer }

/** Removes a person from a change. `isEmpty` if the change was about the person alone, `isRemoved` if any part was removed. */
type RemoveFromChange = (change: JsonObject) => { isRemoved: boolean; isEmpty: boolean }

export type CallbackErasure = ReturnType<typeof createCallbackErasure>

/** Erases a person from callbacks, which are kept as they came, and of which organizations may share one. */
export function createCallbackErasure({ sql }: { sql: Pool }) {
  async function findOtherOwners(organizationId: string, targets: ChangeTarget[]) {
    const phoneNumberIds = targets.flatMap((target) =>
      target && 'phoneNumberId' in target ? target.phoneNumberId : [],
    )
    const wabaIds = targets.flatMap((target) => (target && 'wabaId' in target ? target.wabaId : []))
    const channels = buildChannelIndex(await findChannels(sql, { phoneNumberIds, wabaIds }))
    return (callbackId: string, target: ChangeTarget) => {
      // A callback that is older than the channel came for the one that had the number before.
      const owners = findTargetChannels(target, channels).filter(({ channel_id }) => channel_id < callbackId)
      return owners.length > 0 && owners.every(({ organization_id }) => organization_id !== organizationId)
    }
  }

  return {
    /** Callbacks that have one of these texts, and the id up to which they were searched: null at the end of the window. */
    async scan(place: WindowPlace & { organizationId: string; identifiers: readonly string[] }) {
      const found = await store.scanCallbacks(sql, { ...place, limit: BATCH_SIZE, bytesMax: BATCH_BYTES_MAX })
      const callbacks = found.flatMap(({ id, body }): StoredCallback[] =>
        id === null || body === null ? [] : [{ id, body }],
      )
      return { end: found[0]?.scan_end ?? null, callbacks }
    },

    /**
     * Removes a person from the changes of callbacks, but not from those of other organizations. One that cannot be read
     * is emptied: whose it is cannot be known, and no route shows it.
     */
    async remove(
      organizationId: string,
      callbacks: readonly StoredCallback[],
      removeFromChange: RemoveFromChange,
    ): Promise<store.ReplacedCallback[]> {
      const read = callbacks.map(({ id, body }) => {
        return { id, readHash: hash('sha256', body, 'buffer'), callback: readCallback(body) }
      })
      const targets = read.flatMap(({ callback }) => listChanges(callback).map(({ target }) => target))
      const isOfOthers = await findOtherOwners(organizationId, targets)
      return read.flatMap(({ id, readHash, callback }) => {
        if (!callback) return [{ id, readHash, body: EMPTY }]
        let isChanged = false
        for (const { entry, change, target } of listChanges(callback)) {
          if (isOfOthers(id, target)) continue
          const { isRemoved, isEmpty } = removeFromChange(change)
          if (isRemoved) isChanged = true
          if (isEmpty) entry.changes = listObjects(entry.changes).filter((other) => other !== change)
        }
        return isChanged ? [{ id, readHash, body: Buffer.from(JSON.stringify(callback)) }] : []
      })
    },

    /** Returns how many it replaced: those that have changed since they were read are left. */
    async replace(tx: Tx, callbacks: readonly store.ReplacedCallback[]): Promise<number> {
      return callbacks.length > 0 ? store.replaceBodies(tx, callbacks) : 0
    },
  }
}

function readCallback(body: Buffer): JsonObject | undefined {
  try {
    const callback = parseExact(body.toString('utf8'))
    return isObject(callback) && Array.isArray(callback.entry) ? callback : undefined
  } catch {
    // Not JSON, or nested deeper than the stack allows.
    return undefined
  }
}

function listChanges(callback: JsonObject | undefined) {
  return listObjects(callback?.entry).flatMap((entry) =>
    listObjects(entry.changes).map((change) => {
      const field = typeof change.field === 'string' ? change.field : ''
      const target = findChangeTarget({ field, entryId: toExactText(entry.id) ?? null, value: change.value })
      return { entry, change, target }
    }),
  )
}
