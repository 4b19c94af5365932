import { isObject, type JsonObject } from '../../../kernel/json/values.ts'

/**
 * A body without the null members in the object that `type` names: they count as absent, as at the upstream. Clients that
 * write every field of a class send them. Nulls in lists, and of the body itself, stay and are refused.
 */
export function dropNullMembers(body: unknown): unknown {
  if (!isObject(body) || typeof body.type !== 'string' || !Object.hasOwn(body, body.type)) return body
  return { ...body, [body.type]: dropNulls(body[body.type]) }
}

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls)
  if (!isObject(value)) return value
  const members: JsonObject = {}
  for (const [name, member] of Object.entries(value)) if (member !== null) members[name] = dropNulls(member)
  return members
}
