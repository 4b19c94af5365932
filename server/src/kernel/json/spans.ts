/**
 * Finds the positions of values in the bytes of a JSON text, so that a part can be forwarded byte for byte. Nothing here
 * recurses, so no nesting can overflow the stack.
 *
 * The text must be valid JSON. For other texts the functions return or throw, and their results mean nothing.
 */

/** A value is at [start, end), without the whitespace around it. Its depth counts nested levels: `1` has 0, `[]` has 1. */
export type Span = { start: number; end: number; depth: number }

/** The span is the value's; the quotation mark that opens the key is at `keyStart`. */
export type Member = Span & { key: string; keyStart: number }

/** The objects and arrays of the outermost levels by their start, so that listing their parts needs no second scan. */
export type Outline = { bytes: Buffer; root: Span; containers: ReadonlyMap<number, Span> }

export const QUOTE = 0x22
export const COMMA = 0x2c
const BACKSLASH = 0x5c
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
const SPACE = 0x20
const NULL = Buffer.from('null')

/** Scans the bytes once. Listing the members and elements of the outermost `levels` levels is then cheap. */
export function buildOutline(bytes: Buffer, levels: number): Outline {
  const containers = new Map<number, Span>()
  return { bytes, root: readSpan(bytes, skipWhitespace(bytes, 0), levels, containers), containers }
}

/** The members of an object by key; empty for other values. As in JSON.parse, the last of two equal keys counts. */
export function listMembers(outline: Outline, object: Span): Map<string, Member> {
  const { bytes } = outline
  const members = new Map<string, Member>()
  if (bytes[object.start] !== OPEN_BRACE) return members
  let at = skipWhitespace(bytes, object.start + 1)
  while (at < object.end - 1) {
    const keyStart = at
    const keyEnd = findStringEnd(bytes, keyStart)
    const colon = skipWhitespace(bytes, keyEnd)
    const value = readListed(outline, skipWhitespace(bytes, colon + 1))
    const key: string = JSON.parse(bytes.toString('utf8', keyStart, keyEnd))
    members.set(key, { key, keyStart, start: value.start, end: value.end, depth: value.depth })
    at = findNextItem(bytes, value)
  }
  return members
}

/** The elements of an array in order; empty for other values. */
export function listElements(outline: Outline, array: Span): Span[] {
  const { bytes } = outline
  const elements: Span[] = []
  if (bytes[array.start] !== OPEN_BRACKET) return elements
  let at = skipWhitespace(bytes, array.start + 1)
  while (at < array.end - 1) {
    const element = readListed(outline, at)
    elements.push(element)
    at = findNextItem(bytes, element)
  }
  return elements
}

/** The bytes of the value with `null` in place of every object and array below the outermost `levels` levels. */
export function cutDepth(bytes: Buffer, value: Span, levels: number): Buffer {
  const parts: Buffer[] = []
  let level = 0
  let from = value.start
  for (let at = value.start; at < value.end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = findStringEnd(bytes, at) - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      level++
      if (level === levels + 1) parts.push(bytes.subarray(from, at), NULL)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (level === levels + 1) from = at + 1
      level--
    }
  }
  return Buffer.concat([...parts, bytes.subarray(from, value.end)])
}

function readListed({ bytes, containers }: Outline, at: number): Span {
  return containers.get(at) ?? readSpan(bytes, at, 1, new Map())
}

/** After a value comes a comma and the next item, or the bracket that ends the list. */
function findNextItem(bytes: Buffer, value: Span): number {
  return skipWhitespace(bytes, skipWhitespace(bytes, value.end) + 1)
}

function readSpan(bytes: Buffer, start: number, levels: number, containers: Map<number, Span>): Span {
  const first = bytes[start]
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return readContainer(bytes, start, levels, containers)
  return { start, end: findValueEnd(bytes, start), depth: 0 }
}

/** Adds this container and those inside it to `containers`, down to `levels`; deeper ones only add to the depth. */
function readContainer(bytes: Buffer, start: number, levels: number, containers: Map<number, Span>): Span {
  const { length } = bytes
  const open: Span[] = []
  let level = 0
  for (let at = start; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = findStringEnd(bytes, at) - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      level++
      if (level <= levels) open.push({ start: at, end: length, depth: 1 })
      else raiseDepth(open[levels - 1], level - levels + 1)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const closed = level <= levels ? open.pop() : undefined
      level--
      if (closed === undefined) continue
      closed.end = at + 1
      containers.set(closed.start, closed)
      if (level === 0) return closed
      raiseDepth(open[level - 1], closed.depth + 1)
    }
  }
  return { start, end: length, depth: 1 }
}

function raiseDepth(container: Span | undefined, depth: number): void {
  if (container !== undefined && container.depth < depth) container.depth = depth
}

/** The end of the value at `start`, of any kind. */
export function findValueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return findStringEnd(bytes, start)
  return first === OPEN_BRACE || first === OPEN_BRACKET ? findContainerEnd(bytes, start) : findLiteralEnd(bytes, start)
}

function findContainerEnd(bytes: Buffer, start: number): number {
  let level = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = findStringEnd(bytes, at) - 1
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) level++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      level--
      if (level === 0) return at + 1
    }
  }
  return bytes.length
}

/** A plain loop: `indexOf` costs more than the few bytes between two escapes. */
export function findStringEnd(bytes: Buffer, start: number): number {
  let at = start + 1
  let byte = bytes[at]
  while (byte !== QUOTE && byte !== undefined) {
    at += byte === BACKSLASH ? 2 : 1
    byte = bytes[at]
  }
  return at + 1
}

/** The end of a number, `true`, `false` or `null`. */
function findLiteralEnd(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && !isLiteralEnd(bytes[at])) at++
  return at
}

function isLiteralEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isWhitespace(byte)
}

export function skipWhitespace(bytes: Buffer, start: number): number {
  let at = start
  while (isWhitespace(bytes[at])) at++
  return at
}

/** JSON has four kinds of whitespace; outside of strings, no other byte up to the space is allowed. */
function isWhitespace(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE
}
