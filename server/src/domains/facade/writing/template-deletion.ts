import { AppError, invalidPart, toIssue } from '../../../kernel/errors.ts'
import { toExactText } from '../../../kernel/json/exact.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'

const MEMBERS = ['name', 'hsm_id']

/** A name alone deletes all its languages; `hsm_id` limits it to one. */
type TemplateDeletion = { name: string; hsm_id?: string }

/** Reads the members from the query or the body. A member in both must have the same value. */
export function parseTemplateDeletion(
  query: Record<string, string>,
  body: JsonObject,
  { ignoresUnknown = false } = {},
): TemplateDeletion {
  const unknown = Object.keys(body).find((member) => !MEMBERS.includes(member))
  if (unknown !== undefined && !ignoresUnknown) throw invalidMember(unknown, 'unknown_property')
  const [name, id] = MEMBERS.map((member) => readMember(member, query[member], body[member]))
  if (id !== undefined && !/^\d{1,32}$/.test(id)) {
    throw new AppError('INVALID_TEMPLATE_ID', 'template_id_not_digits')
  }
  if (name === undefined || name === '') throw invalidMember('name', 'required')
  return { name, ...(id !== undefined && { hsm_id: id }) }
}

function readMember(member: string, inQuery: string | undefined, inBody: unknown): string | undefined {
  if (inBody === undefined) return inQuery
  // An id may be a number of any length and becomes its digits. Any other value fails the checks below.
  const text = toExactText(inBody) ?? JSON.stringify(inBody)
  if (inQuery !== undefined && inQuery !== text) throw invalidMember(member, 'differs_in_query_and_body')
  if (member === 'name' && typeof inBody !== 'string') throw invalidMember(member, 'not_text')
  return text
}

type Mistake = 'unknown_property' | 'required' | 'differs_in_query_and_body' | 'not_text'

function invalidMember(member: string, reason: Mistake): AppError {
  return invalidPart('request', [toIssue(`/${member}`, reason)], member)
}
