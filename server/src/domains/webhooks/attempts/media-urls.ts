import { type Selected, type Shape, selectValues } from '../../../kernel/json/selection.ts'
import { QUOTE } from '../../../kernel/json/spans.ts'
import { MEDIA_TYPES } from '../../../upstream/files/media.ts'

export const MEDIA_URLS = ['upstream', 'hub'] as const
export type MediaUrls = (typeof MEDIA_URLS)[number]

/** The fields of changes in whose messages the hub knows the files, so that it can serve them. */
const FIELDS = new Set(['messages', 'smb_message_echoes', 'history'])

/** An id as in the paths of the facade. Any other could lead out of the address that it is put into. */
const MEDIA_ID = /^\d{1,32}$/

const LEAF: Shape = {}
const FILE = { id: LEAF, url: LEAF }
const FILES = Object.fromEntries(MEDIA_TYPES.map((type) => [type, { members: FILE }]))
const MESSAGES: Shape = { elements: { members: { ...FILES, edit: { members: { message: { members: FILES } } } } } }
const VALUE: Shape = { members: { messages: MESSAGES, message_echoes: MESSAGES } }
const CHANGES: Shape = { elements: { members: { field: LEAF, value: VALUE } } }
const RAW: Shape = { members: { entry: { elements: { members: { changes: CHANGES } } } } }

const CONTENT: Shape = { members: { ...FILE, message: { members: FILES } } }
const ENVELOPE: Shape = {
  members: { data: { members: { message: { members: { type: LEAF, content: CONTENT } } } } },
}

/**
 * Puts the hub's address in place of each `url` of a file that a message has: those of images, videos, audio, documents and
 * stickers, also in edits. Every other byte stays as it is, and a payload without such a `url` is returned itself.
 *
 * It runs with each attempt, beside the signature, and takes a similar time. A payload of nothing but the shortest files
 * grows to about four times its size.
 */
export function rewriteMediaUrls(payload: Buffer, eventKind: string, graphUrl: string): Buffer {
  const parts: Buffer[] = []
  let copied = 0
  for (const { id, start, end } of listUrls(payload, eventKind)) {
    parts.push(payload.subarray(copied, start), Buffer.from(JSON.stringify(`${graphUrl}/${id}/content`)))
    copied = end
  }
  return copied === 0 ? payload : Buffer.concat([...parts, payload.subarray(copied)])
}

/** The strings to replace, in the order of the payload. */
function listUrls(payload: Buffer, eventKind: string): { id: string; start: number; end: number }[] {
  return listFiles(payload, eventKind)
    .flatMap(({ members }) => {
      const [id, url] = [readText(payload, members.get('id')), members.get('url')]
      return url && payload[url.start] === QUOTE && MEDIA_ID.test(id) ? [{ id, start: url.start, end: url.end }] : []
    })
    .sort((a, b) => a.start - b.start)
}

function listFiles(payload: Buffer, eventKind: string): Selected[] {
  if (eventKind === 'upstream.raw') return listRawFiles(payload)
  return eventKind.startsWith('message.') ? listEnvelopeFiles(payload) : []
}

function listRawFiles(payload: Buffer): Selected[] {
  const entries = listElements(selectValues(payload, RAW), 'entry')
  const changes = entries.flatMap((entry) => listElements(entry, 'changes'))
  return changes.flatMap(({ members }) => {
    const value = members.get('value')
    if (!FIELDS.has(readText(payload, members.get('field')))) return []
    const messages = [...listElements(value, 'messages'), ...listElements(value, 'message_echoes')]
    return messages.flatMap((message) => [...pickFiles(message), ...pickFiles(find(message, 'edit', 'message'))])
  })
}

/** The content of a message is its file, or an edit with the message as it is now. */
function listEnvelopeFiles(payload: Buffer): Selected[] {
  const message = find(selectValues(payload, ENVELOPE), 'data', 'message')
  const type = readText(payload, find(message, 'type'))
  const content = find(message, 'content')
  if (type === 'edit') return pickFiles(find(content, 'message'))
  return content && MEDIA_TYPES.includes(type) ? [content] : []
}

function pickFiles(message: Selected | undefined): Selected[] {
  return MEDIA_TYPES.flatMap((type) => message?.members.get(type) ?? [])
}

function listElements(object: Selected | undefined, name: string): readonly Selected[] {
  return object?.members.get(name)?.elements ?? []
}

function find(value: Selected | undefined, ...path: string[]): Selected | undefined {
  return path.reduce((found, name) => found?.members.get(name), value)
}

/** A string, or the digits of a number; anything else comes out as text that is no id, field or type. */
function readText(payload: Buffer, value: Selected | undefined): string {
  if (!value) return ''
  const text = payload.toString('utf8', value.start, value.end)
  return payload[value.start] === QUOTE ? JSON.parse(text) : text
}
