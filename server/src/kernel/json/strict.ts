import { AppError, invalidRequest } from '../errors.ts'

/** Deeper than any body of the API, and shallow enough that recursion over it cannot exhaust the stack. */
const DEPTH_MAX = 64

/** A number beyond 2^53 has at least 16 digits or an exponent. */
const LARGE_NUMBER = /(^|[:,[\s])-?\d{16}|\d[eE]/

/** A string, and the colon after it if it is a key. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Parses a body like `readStrictJson`, and also refuses numbers that would be
 * rounded and duplicate properties, of which only the last would remain.
 */
export function parseStrictJson(bytes: Buffer): unknown {
  const { text, value, members } = readStrictJson(bytes)
  if (countKeys(text) > members) throw invalidRequest('The body has a property twice in one object.')
  // A reviver is slow and recurses, so it runs after the check of the depth, and only where the text may need it.
  if (LARGE_NUMBER.test(text)) JSON.parse(text, refuseRounded)
  return value
}

/**
 * Parses a body and refuses valid JSON that is unsafe to handle: text that
 * PostgreSQL cannot store (NUL, half a surrogate pair), keys that change an
 * object's prototype, and deep nesting. Numbers of `value` may be rounded.
 */
export function readStrictJson(bytes: Buffer): { text: string; value: unknown; members: number } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return { text, value, members: refuseUnstorable(value) }
  } catch (err) {
    if (err instanceof AppError) throw err
    throw invalidRequest(err instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.')
  }
}

/** Uses a list instead of recursion, which deep nesting would exhaust. Returns the number of members of all objects. */
function refuseUnstorable(root: unknown): number {
  let members = 0
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    if (typeof value === 'string') refuseText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEPTH_MAX) throw invalidRequest(`The body is nested deeper than ${DEPTH_MAX} levels.`)
    if (Array.isArray(value)) {
      for (const item of value) open.push({ value: item, depth: depth + 1 })
      continue
    }
    for (const key of Object.keys(value)) {
      members++
      refuseKey(key, value)
      open.push({ value: value[key as keyof typeof value], depth: depth + 1 })
    }
  }
  return members
}

function countKeys(text: string): number {
  let keys = 0
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) keys++
  return keys
}

/** Fractions may be rounded. A number beyond 2^53 is an id or a count, which rounding would change into another. */
function refuseRounded(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
  const source = context?.source ?? ''
  throw invalidRequest(`The body holds a number that would be rounded: ${source.slice(0, 40)}. Send ids as text.`)
}

function refuseKey(key: string, owner: object): void {
  const prototype = key === 'constructor' ? Object(owner[key as keyof typeof owner]) : {}
  if (key === '__proto__' || Object.hasOwn(prototype, 'prototype')) {
    throw invalidRequest(`The body has a forbidden property name: ${key}.`)
  }
  refuseText(key)
}

function refuseText(text: string): void {
  if (text.includes('\0')) throw invalidRequest('The body holds a NUL character (\\u0000), which cannot be stored.')
  if (!text.isWellFormed()) throw invalidRequest('The body holds half of a surrogate pair, which is not a character.')
}
