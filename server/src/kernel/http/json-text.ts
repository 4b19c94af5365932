import { AppError, invalidRequest } from '../errors.ts'

/** Deeper than any body of the interface, and shallow enough that no walk over it can exhaust the stack. */
const DEPTH_MAX = 64

/** Whatever is beyond 2^53 is written with so many digits, or with an exponent. */
const LARGE_NUMBER = /(^|[:,[\s])-?\d{16}|\d[eE]/

/** A string, and the colon that makes a key of it. */
const STRING = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Parses a body, and refuses what could not be held as it was sent: see
 * `readJsonText`; numbers that would be rounded; and a property that is there
 * twice, of which only the last would be left.
 */
export function parseJsonText(bytes: Buffer): unknown {
  const { text, value, members } = readJsonText(bytes)
  if (countKeys(text) > members) throw invalidRequest('The body has a property twice in one object.')
  // A reviver recurses and is slow, so it comes after the depth is known, and only where digits are at stake.
  if (LARGE_NUMBER.test(text)) JSON.parse(text, refuseRounded)
  return value
}

/**
 * Reads a body and refuses what JSON allows but nothing behind us can hold:
 * text that PostgreSQL cannot store (NUL, half a surrogate pair), keys that
 * reach into an object's prototype, and nesting made to exhaust a stack. The
 * numbers of `value` may be rounded; those of `text` are as they were sent.
 */
export function readJsonText(bytes: Buffer): { text: string; value: unknown; members: number } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return { text, value, members: refuseUnstorable(value) }
  } catch (err) {
    if (err instanceof AppError) throw err
    throw invalidRequest(err instanceof SyntaxError ? 'The body is not valid JSON.' : 'The body is not valid UTF-8.')
  }
}

/** Walks with a list of its own instead of recursion, since depth is what is being checked. Returns how many members it met. */
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

/** Fractions are rounded by everybody. What is beyond them is an id or a count, and has to stay the one it is. */
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
