import { createHash } from 'node:crypto'
import { isObject } from '../../kernel/json/values.ts'

/** Two bodies are the same when they say the same: the order of members and the white space between them say nothing. */
export function bodyHash(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(body, (_name, value) => (isObject(value) ? sorted(value) : value)))
    .digest()
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
