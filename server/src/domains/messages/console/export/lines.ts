import { toConsoleMessage } from '../entry.ts'
import type { ConsoleRow } from '../store.ts'

const COLUMNS = [
  ...['id', 'channel_id', 'direction', 'phone', 'user_id', 'type', 'template', 'template_language', 'status'],
  ...['error_code', 'upstream_message_id', 'created_at', 'updated_at'],
]

const CHUNK_LENGTH = 65_536

/** A spreadsheet takes a cell that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/

type LineWriter = { head: string; toLine: (row: ConsoleRow) => string }

/** How each format is written, with or without the content of messages. */
export function createLineWriter(format: 'csv' | 'jsonl', withContent: boolean): LineWriter {
  if (format === 'csv') {
    return {
      head: toCsvLine(withContent ? [...COLUMNS, 'content'] : COLUMNS),
      toLine: (row) => toCsvLine(withContent ? [...toCells(row), row.content] : toCells(row)),
    }
  }
  return { head: '', toLine: (row) => toJsonLine(row, withContent) }
}

function toCells(row: ConsoleRow) {
  const { id, channel_id, direction, person, type, template, status, error, ...rest } = toConsoleMessage(row)
  return [
    ...[id, channel_id, direction, person.phone, person.user_id, type],
    ...[template?.name ?? null, template?.language ?? null, status, error?.code ?? null],
    ...[rest.upstream_message_id, rest.created_at, rest.updated_at],
  ]
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

/** One line of RFC 4180. What a spreadsheet would run begins with a quote instead, and stays text. */
export function toCsvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe
}
