import { isObject, type JsonObject, toList, toText } from '../../kernel/json/values.ts'
import type { NewEvent } from '../events/catalog.ts'
import type { TargetChannel } from './routing.ts'

const TEMPLATE_FIELD = /^(message_template_|template_category_update$)/
const NUMBER_FIELDS = new Set(['phone_number_quality_update', 'phone_number_name_update'])
const ACCOUNT_FIELD = /^(account_|business_capability_update$|security$)/

type ChangeEvent = Pick<NewEvent & { data: object }, 'kind' | 'data'>

/** The normalized event of a change that is not about a message; undefined if there is none. */
export function toChangeEvent(field: string, value: unknown, channel: TargetChannel): ChangeEvent | undefined {
  const change = { ...(isObject(value) ? value : { value }), field }
  if (TEMPLATE_FIELD.test(field)) return { kind: 'template.status', data: { template: toTemplate(change), change } }
  if (NUMBER_FIELDS.has(field))
    return { kind: 'phone.quality', data: { number: toPhoneNumber(change, channel), change } }
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

function toPhoneNumber(change: JsonObject, channel: TargetChannel) {
  const isApproved = change.decision === 'APPROVED'
  return {
    phone_number_id: channel.phone_number_id,
    display_phone_number: toText(change.display_phone_number) ?? channel.display_digits,
    verified_name: isApproved ? toText(change.requested_verified_name) : null,
  }
}
