import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  findStringEnd,
  findValueEnd,
  OPEN_BRACE,
  OPEN_BRACKET,
  skipWhitespace,
} from './spans.ts'

/** Says which values to find: the named members of an object, the elements of an array; with neither, the value itself. */
export type Shape = { readonly members?: Readonly<Record<string, Shape>>; readonly elements?: Shape }

/** A value at [start, end), with those of its members and elements that the shape names. */
export type Selected = {
  start: number
  end: number
  members: ReadonlyMap<string, Selected>
  elements: readonly Selected[]
}

const NO_MEMBERS: ReadonlyMap<string, Selected> = new Map()

/**
 * Finds values in the bytes of a valid JSON text, in one pass. Only what the shape names is kept in memory, and the
 * recursion is as deep as the shape: neither many values nor deep nesting of others costs more than reading their bytes.
 * As in JSON.parse, the last of two equal keys counts.
 */
export function selectValues(bytes: Buffer, shape: Shape): Selected {
  return readValue(bytes, skipWhitespace(bytes, 0), shape)
}

function readValue(bytes: Buffer, start: number, { members, elements }: Shape): Selected {
  if (members && bytes[start] === OPEN_BRACE) return readObject(bytes, start, members)
  if (elements && bytes[start] === OPEN_BRACKET) return readArray(bytes, start, elements)
  return { start, end: findValueEnd(bytes, start), members: NO_MEMBERS, elements: [] }
}

function readObject(bytes: Buffer, start: number, shapes: Readonly<Record<string, Shape>>): Selected {
  const members = new Map<string, Selected>()
  const end = readItems(bytes, start, (keyStart) => {
    const keyEnd = findStringEnd(bytes, keyStart)
    const key = readKey(bytes, keyStart, keyEnd)
    const valueStart = skipWhitespace(bytes, skipWhitespace(bytes, keyEnd) + 1)
    const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined
    if (!shape) return findValueEnd(bytes, valueStart)
    const value = readValue(bytes, valueStart, shape)
    members.set(key, value)
    return value.end
  })
  return { start, end, members, elements: [] }
}

/** Elements in which nothing was found are left out. */
function readArray(bytes: Buffer, start: number, shape: Shape): Selected {
  const elements: Selected[] = []
  const isLeaf = !shape.members && !shape.elements
  const end = readItems(bytes, start, (at) => {
    const element = readValue(bytes, at, shape)
    if (isLeaf || element.members.size > 0 || element.elements.length > 0) elements.push(element)
    return element.end
  })
  return { start, end, members: NO_MEMBERS, elements }
}

/** Reads one member or element after the other; `readItem` returns its end. Returns the end of the object or array. */
function readItems(bytes: Buffer, start: number, readItem: (at: number) => number): number {
  const first = skipWhitespace(bytes, start + 1)
  if (bytes[first] === CLOSE_BRACE || bytes[first] === CLOSE_BRACKET) return first + 1
  let separator = start
  do {
    separator = skipWhitespace(bytes, readItem(skipWhitespace(bytes, separator + 1)))
  } while (bytes[separator] === COMMA)
  return separator + 1
}

/** The keys of a shape are ASCII, so that other letters need no decoding. */
function readKey(bytes: Buffer, start: number, end: number): string {
  const key = bytes.toString('latin1', start + 1, end - 1)
  return key.includes('\\') ? JSON.parse(bytes.toString('utf8', start, end)) : key
}
