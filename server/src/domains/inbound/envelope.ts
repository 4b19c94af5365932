import { hash } from 'node:crypto'
import { hasLongInteger, parseLossless } from '../../kernel/json/lossless.ts'
import {
  buildOutline,
  cutDepth,
  listElements,
  listMembers,
  type Member,
  type Outline,
  type Span,
} from '../../kernel/json/spans.ts'
import { isObject, type JsonObject, toList } from '../../kernel/json/values.ts'

export type Envelope = { object: string | null; changes: Change[] }

/** Texts are unchanged, and may contain what the database refuses: NUL and unpaired surrogates. */
export type Change = {
  /** Empty if the change has none. */
  field: string
  entryId: string | null
  /** Unix seconds. */
  entryTime: number | null
  /** `undefined` if there is none. */
  value: unknown
  /** True if the value is nested so deeply that a part of it is left out. */
  isCut: boolean
  /** The body of the `upstream.raw` event: the callback as if this were its only change. */
  raw: Buffer
  fingerprint: string
}

/** Deeper levels of a change are only in its raw event: a recursive walk over them could exhaust the stack. */
export const DEPTH_MAX = 64

/** Far above the 1,000 updates of the largest callback, and few enough to turn each into events. */
const ITEMS_MAX = 20_000

/** Each raw event repeats its entry's other members, so a crafted callback of 4 MiB could exhaust the memory. */
const RAW_BYTES_MAX = 16 * 1024 * 1024

/** The callback, its entries, an entry, its changes, a change: deeper levels are never listed. */
const LEVELS = 5

/** The year 2286. A later time is not in seconds. */
const ENTRY_TIME_MAX = 10_000_000_000

const RAW_END = Buffer.from(']}]}')

/**
 * Splits a callback into its changes. Elements that are not an entry or a change are skipped. The
 * bytes of a change are unchanged, even if they are not UTF-8.
 */
export function readEnvelope(bytes: Buffer): Envelope | { problem: string } {
  const callback = parse(bytes.toString('utf8'))
  if (callback === undefined) return { problem: 'The callback is not valid JSON.' }
  if (!isObject(callback)) return { problem: 'The callback is not an object.' }
  if (!Array.isArray(callback.entry)) return { problem: 'The callback has no list of entries.' }
  if (countItems(callback.entry) > ITEMS_MAX) return { problem: 'The callback has too many entries and changes.' }

  const changes: Change[] = []
  let rawBytes = 0
  for (const change of sliceChanges(buildOutline(bytes, LEVELS), callback)) {
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
    // Text that V8 cannot parse has no changes to read.
    return undefined
  }
}

function countItems(entries: unknown[]): number {
  return entries.reduce<number>((sum, entry) => sum + 1 + (isObject(entry) ? toList(entry.changes).length : 0), 0)
}

/** Yields one change at a time, so a callback over the limit is given up before all of it is in memory. */
function* sliceChanges(outline: Outline, callback: JsonObject): Generator<Change> {
  const top = listMembers(outline, outline.root)
  for (const [entrySpan, entry] of listObjectSpans(outline, top.get('entry'), callback.entry)) {
    const members = listMembers(outline, entrySpan)
    const changes = [...listObjectSpans(outline, members.get('changes'), entry.changes)]
    if (changes.length === 0) continue

    const entryId = readId(outline, members.get('id'))
    const entryTime = readTime(entry.time)
    const rawStart = composeStart(outline, top.get('object'), members)
    for (const [span, change] of changes) {
      const field = typeof change.field === 'string' ? change.field : ''
      const value = readExactValue(outline, span, change)
      const raw = Buffer.concat([rawStart, outline.bytes.subarray(span.start, span.end), RAW_END])
      const isCut = span.depth > DEPTH_MAX
      yield { field, entryId, entryTime, value, isCut, raw, fingerprint: computeFingerprint(raw) }
    }
  }
}

/** The objects of a list with their spans; other elements are skipped. */
function* listObjectSpans(outline: Outline, array: Span | undefined, parsed: unknown): Generator<[Span, JsonObject]> {
  const values = toList(parsed)
  const spans = array === undefined ? [] : listElements(outline, array)
  for (const [index, span] of spans.entries()) {
    const value = values[index]
    if (isObject(value)) yield [span, value]
  }
}

/** An id is a string or an integer, which keeps all its digits. */
function readId({ bytes }: Outline, member: Member | undefined): string | null {
  if (member === undefined || member.depth > 0) return null
  const id = parseLossless(bytes.toString('utf8', member.start, member.end))
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : null
}

function readTime(time: unknown): number | null {
  return typeof time === 'number' && Number.isInteger(time) && time > 0 && time < ENTRY_TIME_MAX ? time : null
}

/** The callback is parsed already; a change is parsed again only if that lost digits or the value must be cut. */
function readExactValue({ bytes }: Outline, span: Span, change: JsonObject): unknown {
  const isCut = span.depth > DEPTH_MAX
  const text = isCut ? cutDepth(bytes, span, DEPTH_MAX).toString('utf8') : bytes.toString('utf8', span.start, span.end)
  const exact = isCut || hasLongInteger(text) ? parseLossless(text) : change
  return isObject(exact) ? exact.value : undefined
}

/** The part of `raw` before the change. Latin-1 maps every byte to one character and back. */
function composeStart({ bytes }: Outline, object: Member | undefined, members: Map<string, Member>): Buffer {
  const others = [...members.values()].filter(({ key }) => key !== 'changes')
  const othersText = others.map(({ keyStart, end }) => `${bytes.toString('latin1', keyStart, end)},`).join('')
  const objectText = object === undefined ? '' : `"object":${bytes.toString('latin1', object.start, object.end)},`
  return Buffer.from(`{${objectText}"entry":[{${othersText}"changes":[`, 'latin1')
}

/** A hash of the bytes, formatted as a uuid. */
export function computeFingerprint(raw: Buffer | string): string {
  const hex = hash('sha256', raw, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
