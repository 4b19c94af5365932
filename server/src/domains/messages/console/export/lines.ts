import { toCsvLine } from '../../../../kernel/csv.ts'
import { toConsoleMessage } from '../entry.ts'
import type { ConsoleMessage } from '../schemas.ts'
import type { ConsoleRow } from '../store.ts'

const COLUMNS: Record<string, (message: ConsoleMessage) => string | number | null> = {
  id: ({ id }) => id,
  channel_id: ({ channel_id }) => channel_id,
  direction: ({ direction }) => direction,
  phone: ({ person }) => person.phone,
  user_id: ({ person }) => person.user_id,
  type: ({ type }) => type,
  template: ({ template }) => template?.name ?? null,
  template_language: ({ template }) => template?.language ?? null,
  status: ({ status }) => status,
  error_code: ({ error }) => error?.code ?? null,
  upstream_message_id: ({ upstream_message_id }) => upstream_message_id,
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
}
const NAMES = Object.keys(COLUMNS)

const CHUNK_LENGTH = 65_536

type LineWriter = { head: string; toLine: (row: ConsoleRow) => string }

/** Writes each format, with or without the content of messages. */
export function createLineWriter(format: 'csv' | 'jsonl', withContent: boolean): LineWriter {
  if (format === 'csv') {
    return {
      head: toCsvLine(withContent ? [...NAMES, 'content'] : NAMES),
      toLine: (row) => toCsvLine(withContent ? [...toCells(row), toJsonCell(row.content)] : toCells(row)),
    }
  }
  return { head: '', toLine: (row) => toJsonLine(row, withContent) }
}

function toCells(row: ConsoleRow) {
  const message = toConsoleMessage(row)
  return Object.values(COLUMNS).map((toCell) => toCell(message))
}

/** JSON without what a spreadsheet may split lines at. Outside of its texts, tabs and line breaks are white space. */
function toJsonCell(json: string | null): string | null {
  return json === null ? null : json.replaceAll(';', '\\u003b').replace(/[\t\r\n]+/g, ' ')
}

/** The content is JSON as it is stored: numbers keep their digits. Line breaks in it are spaces of JSON. */
function toJsonLine(row: ConsoleRow, withContent: boolean): string {
  const entry = JSON.stringify(toConsoleMessage(row))
  if (!withContent) return `${entry}\n`
  return `${entry.slice(0, -1)},"content":${(row.content ?? 'null').replace(/[\r\n]+/g, ' ')}}\n`
}

/** Joins small lines. A large one is written when the client has taken what is before it, and is not in memory twice until then. */
export function* toChunks<Row>(rows: readonly Row[], toLine: (row: Row) => string): Generator<string> {
  let text = ''
  for (const row of rows) {
    text += toLine(row)
    if (text.length < CHUNK_LENGTH) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}
