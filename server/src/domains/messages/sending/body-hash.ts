import { createHash } from 'node:crypto'
import { isObject } from '../../../kernel/json/values.ts'

/** Hashes the JSON value of a body, so the order of members and white space make no difference. */
export function hashBody(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(body, (_name, value) => (isObject(value) ? sortMembers(value) : value)))
    .digest()
}

function sortMembers(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
