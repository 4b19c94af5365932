import { AppError, invalidRequest } from '../../../kernel/errors.ts'
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
  if (unknown !== undefined && !ignoresUnknown) throw invalidMember(unknown, 'is not a known property')
  const [name, id] = MEMBERS.map((member) => readMember(member, query[member], body[member]))
  if (id !== undefined && !/^\d{1,32}$/.test(id)) {
    throw new AppError('INVALID_TEMPLATE_ID', 'hsm_id must be digits only: the id that the list of templates shows.')
  }
  if (name === undefined || name === '') throw invalidMember('name', 'is required')
  return { name, ...(id !== undefined && { hsm_id: id }) }
}

function readMember(member: string, inQuery: string | undefined, inBody: unknown): string | undefined {
  if (inBody === undefined) return inQuery
  // An id may be a number of any length and becomes its digits. Any other value fails the checks below.
  const text = toExactText(inBody) ?? JSON.stringify(inBody)
  if (inQuery !== undefined && inQuery !== text)
    throw invalidMember(member, 'is not the same in the query and in the body')
  if (member === 'name' && typeof inBody !== 'string') throw invalidMember(member, 'must be text')
  return text
}

function invalidMember(member: string, message: string): AppError {
  return invalidRequest(`The request is invalid: ${member} ${message}.`, [{ path: `/${member}`, message }])
}
