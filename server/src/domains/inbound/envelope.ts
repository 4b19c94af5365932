import { hash } from 'node:crypto'
import { hasLongInteger, parseLossless } from '../../kernel/json/lossless.ts'
import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'
import { elementsOf, type Member, membersOf, type Outline, outlineOf, type Span, shallow } from './json-spans.ts'

export type Envelope = { object: string | null; changes: Change[] }

/** Texts are as they came, and may hold what the database refuses: NUL characters and halves of surrogate pairs. */
export type Change = {
  /** Empty where the change names none. */
  field: string
  entryId: string | null
  /** Unix seconds. */
  entryTime: number | null
  /** `undefined` where there is none. */
  value: unknown
  /** Whether the value was nested so deep that a part of it was left out. */
  isCut: boolean
  /** The body of the `upstream.raw` event: the callback as if it had held this change alone. */
  raw: Buffer
  fingerprint: string
}

/** What a change has below so many levels is forwarded, and else left out: a walk over it could exhaust the stack. */
export const DEPTH_MAX = 64

/** Far above the 1,000 updates of the fullest callback, and few enough that each may become events. */
const ITEMS_MAX = 20_000

/** Each change carries its entry's other members along, so a callback of 4 MiB could be made to fill any memory. */
const RAW_BYTES_MAX = 16 * 1024 * 1024

/** The callback, its entries, an entry, its changes, a change: deeper levels are never listed. */
const LEVELS = 5

/** Year 2286. What is later is not in seconds. */
const TIME_END = 10_000_000_000

const RAW_END = Buffer.from(']}]}')

/**
 * Slices a callback of the upstream into its changes. What is no entry or no change is skipped and its neighbours are
 * kept; the bytes of a change stay as they came, even those that are not UTF-8.
 */
export function readEnvelope(bytes: Buffer): Envelope | { problem: string } {
  const callback = parse(bytes.toString('utf8'))
  if (callback === undefined) return { problem: 'The callback is not valid JSON.' }
  if (!isObject(callback)) return { problem: 'The callback is not an object.' }
  if (!Array.isArray(callback.entry)) return { problem: 'The callback has no list of entries.' }
  if (countItems(callback.entry) > ITEMS_MAX) return { problem: 'The callback has too many entries and changes.' }

  const changes: Change[] = []
  let rawBytes = 0
  for (const change of sliceChanges(outlineOf(bytes, LEVELS), callback)) {
    rawBytes += change.raw.length
    if (rawBytes > RAW_BYTES_MAX) return { problem: 'The entries of the callback repeat too much.' }
    changes.push(change)
  }
  return { object: typeof callback.object === 'string' ? callback.object : null, changes }
}

/** Without a reviver JSON.parse does not recurse, and takes nesting of any depth. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What V8 cannot read, for whatever reason, has no changes that could be sliced out of it.
    return undefined
  }
}

function countItems(entries: unknown[]): number {
  return entries.reduce<number>((sum, entry) => sum + 1 + (isObject(entry) ? toList(entry.changes).length : 0), 0)
}

/** One at a time, so that a callback which comes to too much is given up before all of it is in memory. */
function* sliceChanges(outline: Outline, callback: JsonObject): Generator<Change> {
  const top = membersOf(outline, outline.root)
  for (const [entrySpan, entry] of objectsOf(outline, top.get('entry'), callback.entry)) {
    const members = membersOf(outline, entrySpan)
    const changes = [...objectsOf(outline, members.get('changes'), entry.changes)]
    if (changes.length === 0) continue

    const entryId = idOf(outline, members.get('id'))
    const entryTime = timeOf(entry.time)
    const rawStart = composeStart(outline, top.get('object'), members)
    for (const [span, change] of changes) {
      const field = typeof change.field === 'string' ? change.field : ''
      const value = exactValue(outline, span, change)
      const raw = Buffer.concat([rawStart, outline.bytes.subarray(span.start, span.end), RAW_END])
      const isCut = span.depth > DEPTH_MAX
      yield { field, entryId, entryTime, value, isCut, raw, fingerprint: fingerprintOf(raw) }
    }
  }
}

/** The objects of a list that was both parsed and outlined, each with its place; what else is in the list is left out. */
function* objectsOf(outline: Outline, array: Span | undefined, parsed: unknown): Generator<[Span, JsonObject]> {
  const values = toList(parsed)
  const spans = array === undefined ? [] : elementsOf(outline, array)
  for (const [index, span] of spans.entries()) {
    const value = values[index]
    if (isObject(value)) yield [span, value]
  }
}

/** Strings and whole numbers are ids, and a number keeps all its digits. */
function idOf({ bytes }: Outline, member: Member | undefined): string | null {
  if (member === undefined || member.depth > 0) return null
  const id = parseLossless(bytes.toString('utf8', member.start, member.end))
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : null
}

function timeOf(time: unknown): number | null {
  return typeof time === 'number' && Number.isInteger(time) && time > 0 && time < TIME_END ? time : null
}

/** The callback was parsed once already; a change is parsed again only where that has lost digits or kept too much. */
function exactValue({ bytes }: Outline, span: Span, change: JsonObject): unknown {
  const isCut = span.depth > DEPTH_MAX
  const text = isCut ? shallow(bytes, span, DEPTH_MAX).toString('utf8') : bytes.toString('utf8', span.start, span.end)
  const exact = isCut || hasLongInteger(text) ? parseLossless(text) : change
  return isObject(exact) ? exact.value : undefined
}

/** All of `raw` that stands before the change. In Latin-1 every byte is a character, so each comes out as it went in. */
function composeStart({ bytes }: Outline, object: Member | undefined, members: Map<string, Member>): Buffer {
  const others = [...members.values()].filter(({ key }) => key !== 'changes')
  const othersText = others.map(({ keyStart, end }) => `${bytes.toString('latin1', keyStart, end)},`).join('')
  const objectText = object === undefined ? '' : `"object":${bytes.toString('latin1', object.start, object.end)},`
  return Buffer.from(`{${objectText}"entry":[{${othersText}"changes":[`, 'latin1')
}

/** Equal for equal bytes, in the form of a uuid. */
function fingerprintOf(raw: Buffer): string {
  const hex = hash('sha256', raw, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
