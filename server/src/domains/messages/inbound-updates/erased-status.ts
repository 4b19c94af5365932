import { isObject, type JsonObject, toList } from '../../../kernel/json/values.ts'

/** Members of a status that say nothing about its recipient. */
const KEPT_MEMBERS = ['id', 'status', 'timestamp', 'type', 'conversation', 'pricing', 'biz_opaque_callback_data']

/**
 * A status of the upstream for a message whose person was erased. Of an error stays the code: its texts may repeat the
 * recipient.
 */
export function removeRecipient(status: JsonObject): JsonObject {
  const kept = Object.entries(status).filter(([name]) => KEPT_MEMBERS.includes(name))
  const errors = toList(status.errors).flatMap((error) => (isObject(error) ? [{ code: error.code }] : []))
  return { ...Object.fromEntries(kept), ...(errors.length > 0 && { errors }) }
}
