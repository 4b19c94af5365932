import { AppError, invalidRequest } from '../errors.ts'
import { countValues, scanJson } from './scan.ts'
import { STRICT_UTF8 } from './utf8.ts'

/** No body of the API is nested as deeply, and recursion over one that is cannot exhaust the stack. */
const DEPTH_MAX = 64
/** The largest template has a fraction of these. A megabyte of small values occupies the event loop for a tenth of a second. */
const VALUES_MAX = 20_000

/**
 * Parses a body like `readStrictJson`, and also refuses numbers that would be
 * rounded and duplicate properties, of which only the last would remain.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  const { value, members } = readStrictJson(bytes)
  const { keys, rounded } = scanJson(bytes)
  if (keys > members) throw invalidRequest('property_repeated')
  if (rounded !== undefined) {
    throw invalidRequest('number_rounded', { parameters: { number: rounded.slice(0, 40) } })
  }
  return value
}

/**
 * Parses a body and refuses valid JSON that is unsafe to handle: text that
 * PostgreSQL cannot store (NUL, half a surrogate pair), keys that change an
 * object's prototype, deep nesting, and very many values. Numbers of `value` may be rounded.
 */
export function readStrictJson(bytes: Buffer): { text: string; value: unknown; members: number } {
  requireFewValues(countValues(bytes))
  try {
    const text = STRICT_UTF8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return { text, value, members: refuseUnstorable(value) }
  } catch (err) {
    if (err instanceof AppError) throw err
    throw invalidRequest(err instanceof SyntaxError ? 'body_not_json' : 'body_not_utf8')
  }
}

/** Refuses a body with too many values. For a body that is parsed in parts, `count` is the number of values in all parts. */
export function requireFewValues(count: number): void {
  if (count > VALUES_MAX) throw invalidRequest('too_many_values', { parameters: { limit: VALUES_MAX } })
}

/**
 * Refuses a value that is unsafe to handle, and returns the number of members of all its objects. It keeps a list of what is
 * left to visit, because deep nesting would exhaust recursion. Only objects and arrays enter the list, so that a large body of
 * small values costs little.
 */
function refuseUnstorable(root: unknown): number {
  let members = 0
  const open: object[] = []
  const depths: number[] = []
  function add(value: unknown, depth: number): void {
    if (typeof value === 'string') refuseText(value)
    if (typeof value !== 'object' || value === null) return
    if (depth > DEPTH_MAX) throw invalidRequest('nested_too_deeply', { parameters: { limit: DEPTH_MAX } })
    open.push(value)
    depths.push(depth)
  }
  add(root, 1)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const depth = (depths.pop() ?? 0) + 1
    if (Array.isArray(next)) {
      for (const item of next) add(item, depth)
      continue
    }
    for (const key of Object.keys(next)) {
      members++
      refuseKey(key, next)
      add(next[key as keyof typeof next], depth)
    }
  }
  return members
}

function refuseKey(key: string, owner: object): void {
  if (key === '__proto__' || (key === 'constructor' && hasPrototype(owner[key as keyof typeof owner]))) {
    throw invalidRequest('property_name_forbidden', { parameters: { name: key } })
  }
  refuseText(key)
}

function hasPrototype(value: unknown): boolean {
  return Object.hasOwn(Object(value), 'prototype')
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw invalidRequest('nul_character')
  if (!text.isWellFormed()) throw invalidRequest('surrogate_half')
}
