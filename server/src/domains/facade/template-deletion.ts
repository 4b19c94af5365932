import { AppError, invalidRequest } from '../../kernel/errors.ts'
import { toExactText } from '../../kernel/json/exact.ts'
import type { JsonObject } from '../../kernel/json/values.ts'

const MEMBERS = ['name', 'hsm_id']

/** A name alone is all its languages; with an id, that one. */
export type TemplateDeletion = { name: string; hsm_id?: string }

/** Both may stand in the query or in the body. What stands in both must be the same. */
export function templateDeletion(query: Record<string, string>, body: JsonObject): TemplateDeletion {
  const unknown = Object.keys(body).find((member) => !MEMBERS.includes(member))
  if (unknown !== undefined) throw refused(unknown, 'is not a known property')
  const [name, id] = MEMBERS.map((member) => given(member, query[member], body[member]))
  if (id !== undefined && !/^\d{1,32}$/.test(id)) {
    throw new AppError('INVALID_TEMPLATE_ID', 'hsm_id must be digits only: the id that the list of templates shows.')
  }
  if (name === undefined || name === '') throw refused('name', 'is required')
  return { name, ...(id !== undefined && { hsm_id: id }) }
}

function given(member: string, inQuery: string | undefined, inBody: unknown): string | undefined {
  if (inBody === undefined) return inQuery
  // An id of any length may come as a number, and is then its digits; anything else is no id and no name.
  const text = toExactText(inBody) ?? JSON.stringify(inBody)
  if (inQuery !== undefined && inQuery !== text) throw refused(member, 'is not the same in the query and in the body')
  if (member === 'name' && typeof inBody !== 'string') throw refused(member, 'must be text')
  return text
}

function refused(member: string, message: string): AppError {
  return invalidRequest(`The request is invalid: ${member} ${message}.`, [{ path: `/${member}`, message }])
}
