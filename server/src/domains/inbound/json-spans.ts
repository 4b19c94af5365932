/**
 * Where the values of a JSON text lie in its bytes. A parsed value cannot say how it was written, and what is forwarded
 * byte for byte has to be cut out of what came in. Nothing here recurses, so no nesting can exhaust the stack.
 *
 * The text must be valid JSON. With any other the functions end or throw, and their answers mean nothing.
 */

/** A value is at [start, end), without the whitespace around it. Its depth counts nested levels: `1` has 0, `[]` has 1. */
export type Span = { start: number; end: number; depth: number }

/** The span is the value's; the quotation mark that opens the key is at `keyStart`. */
export type Member = Span & { key: string; keyStart: number }

/** The objects and arrays of the outermost levels by where they start, so that lists of them are read without a rescan. */
export type Outline = { bytes: Buffer; root: Span; containers: ReadonlyMap<number, Span> }

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20
const NULL = Buffer.from('null')

/** Goes over the bytes once. The members and elements of the outermost `levels` levels are then cheap to list. */
export function outlineOf(bytes: Buffer, levels: number): Outline {
  const containers = new Map<number, Span>()
  return { bytes, root: spanAt(bytes, blankEnd(bytes, 0), levels, containers), containers }
}

/** The members of the object by key; none if it is no object. As in JSON.parse, the last of two equal keys counts. */
export function membersOf(outline: Outline, object: Span): Map<string, Member> {
  const { bytes } = outline
  const members = new Map<string, Member>()
  if (bytes[object.start] !== OPEN_BRACE) return members
  let at = blankEnd(bytes, object.start + 1)
  while (at < object.end - 1) {
    const keyStart = at
    const keyEnd = stringEnd(bytes, keyStart)
    const colon = blankEnd(bytes, keyEnd)
    const value = listed(outline, blankEnd(bytes, colon + 1))
    const key: string = JSON.parse(bytes.toString('utf8', keyStart, keyEnd))
    members.set(key, { key, keyStart, start: value.start, end: value.end, depth: value.depth })
    at = nextItem(bytes, value)
  }
  return members
}

/** The elements of the array in their order; none if it is no array. */
export function elementsOf(outline: Outline, array: Span): Span[] {
  const { bytes } = outline
  const elements: Span[] = []
  if (bytes[array.start] !== OPEN_BRACKET) return elements
  let at = blankEnd(bytes, array.start + 1)
  while (at < array.end - 1) {
    const element = listed(outline, at)
    elements.push(element)
    at = nextItem(bytes, element)
  }
  return elements
}

/** The bytes of the value with `null` in place of every object and array below the outermost `levels` levels. */
export function shallow(bytes: Buffer, value: Span, levels: number): Buffer {
  const kept: Buffer[] = []
  let level = 0
  let from = value.start
  for (let at = value.start; at < value.end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = stringEnd(bytes, at) - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      level++
      if (level === levels + 1) kept.push(bytes.subarray(from, at), NULL)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (level === levels + 1) from = at + 1
      level--
    }
  }
  return Buffer.concat([...kept, bytes.subarray(from, value.end)])
}

function listed({ bytes, containers }: Outline, at: number): Span {
  return containers.get(at) ?? spanAt(bytes, at, 1, new Map())
}

/** Behind a value comes a comma and the next item, or the bracket that ends the list. */
function nextItem(bytes: Buffer, value: Span): number {
  return blankEnd(bytes, blankEnd(bytes, value.end) + 1)
}

function spanAt(bytes: Buffer, start: number, levels: number, containers: Map<number, Span>): Span {
  const first = bytes[start]
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return containerAt(bytes, start, levels, containers)
  return { start, end: first === QUOTE ? stringEnd(bytes, start) : wordEnd(bytes, start), depth: 0 }
}

/** Adds this container and those inside it to `containers`, down to `levels`; what lies deeper only adds to their depth. */
function containerAt(bytes: Buffer, start: number, levels: number, containers: Map<number, Span>): Span {
  const { length } = bytes
  const open: Span[] = []
  let level = 0
  for (let at = start; at < length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = stringEnd(bytes, at) - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      level++
      if (level <= levels) open.push({ start: at, end: length, depth: 1 })
      else deepen(open[levels - 1], level - levels + 1)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      const closed = level <= levels ? open.pop() : undefined
      level--
      if (closed === undefined) continue
      closed.end = at + 1
      containers.set(closed.start, closed)
      if (level === 0) return closed
      deepen(open[level - 1], closed.depth + 1)
    }
  }
  return { start, end: length, depth: 1 }
}

function deepen(container: Span | undefined, depth: number): void {
  if (container !== undefined && container.depth < depth) container.depth = depth
}

/** A plain loop: a jump with `indexOf` costs more than the few bytes that lie between two escapes. */
function stringEnd(bytes: Buffer, start: number): number {
  let at = start + 1
  let byte = bytes[at]
  while (byte !== QUOTE && byte !== undefined) {
    at += byte === BACKSLASH ? 2 : 1
    byte = bytes[at]
  }
  return at + 1
}

/** The end of a number, `true`, `false` or `null`. */
function wordEnd(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && !isWordEnd(bytes[at])) at++
  return at
}

function isWordEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isBlank(byte)
}

function blankEnd(bytes: Buffer, start: number): number {
  let at = start
  while (isBlank(bytes[at])) at++
  return at
}

/** JSON has four kinds of whitespace, and no other byte up to a space may stand outside of a string. */
function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= SPACE
}
