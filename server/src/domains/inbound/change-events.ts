import { isObject, type JsonObject, toList, toText } from '../../kernel/json/values.ts'
import type { NumberDescription } from '../channels/signals/service.ts'
import type { NewEvent } from '../events/catalog.ts'

const TEMPLATE_FIELD = /^(message_template_|template_category_update$)/
const NUMBER_FIELDS = new Set([
  'phone_number_quality_update',
  'phone_number_name_update',
  'business_username_updates',
  'business_username_update',
])
const ACCOUNT_FIELD = /^(account_|business_capability_update$|security$)/

type ChangeEvent = Pick<NewEvent & { data: object }, 'kind' | 'data'>

/** Returns true if a field is about a number's quality, name or username. */
export function isNumberField(field: string): boolean {
  return NUMBER_FIELDS.has(field)
}

/** The normalized event of a change that is not about a message; undefined if there is none. `number` is the channel's. */
export function toChangeEvent(
  field: string,
  value: unknown,
  number: NumberDescription | undefined,
): ChangeEvent | undefined {
  const change: JsonObject & { field: string } = { ...(isObject(value) ? value : { value }), field }
  if (TEMPLATE_FIELD.test(field)) return { kind: 'template.status', data: { template: toTemplate(change), change } }
  if (NUMBER_FIELDS.has(field)) return number && { kind: 'phone.quality', data: { number, change } }
  if (field === 'flows') return { kind: 'flow.status', data: { flow_id: toText(change.flow_id), change } }
  if (ACCOUNT_FIELD.test(field)) return { kind: 'account.update', data: { change } }
  return field === 'messages' ? toProblem(change) : undefined
}

/** Errors beside the messages of a change, not in one of them, are a problem of the account or the app. */
function toProblem({ field, metadata, errors }: JsonObject & { field: string }): ChangeEvent | undefined {
  if (toList(errors).length === 0) return undefined
  return { kind: 'account.update', data: { change: { field, ...(isObject(metadata) && { metadata }), errors } } }
}

/** `event` is a status in status updates only. */
function toTemplate(change: JsonObject & { field: string }) {
  return {
    id: toText(change.message_template_id),
    name: toText(change.message_template_name),
    language: toText(change.message_template_language),
    category: toText(change.message_template_category) ?? toText(change.new_category),
    status: change.field === 'message_template_status_update' ? toText(change.event) : null,
  }
}
