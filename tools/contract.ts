import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSources, type Source } from './sources.ts'
import type { Token } from './tokens.ts'

export type Pin = { path: string; title: string }

/** One row of a table whose last column is "Pinned by"; no pins means that the row says `open`. */
export type Row = { id: string; line: number; pins: Pin[] }

export type Page = { rows: Row[]; errors: string[] }

export type ContractReport = { errors: string[]; total: number; pinned: number; open: number }

const CONTRACT = 'docs/contract.md'
const GAPS = 'docs/spec-gaps.md'

const RULE_ID = /^[A-Z][A-Z0-9]*-\d{2,3}$/
const GAP_ANCHOR = /^<a id="([a-z0-9-]+)"><\/a>\s*\1$/
const CODE_SPAN = /^(`+)\s?(.+?)\s?\1$/

/** Holds the pages to the tests they name. The counts are those of the contract: a gap's choice is a rule there too. */
export function checkContract(root: string): ContractReport {
  const titles = collectTitles(readSources(root, ['.']))
  const contract = readPage(root, CONTRACT, RULE_ID)
  const gaps = readPage(root, GAPS, GAP_ANCHOR)

  const open = contract.rows.filter((row) => row.pins.length === 0).length
  return {
    errors: [
      ...[contract, gaps].flatMap((page) => page.errors),
      ...missingTests(CONTRACT, contract.rows, titles),
      ...missingTests(GAPS, gaps.rows, titles),
    ],
    total: contract.rows.length,
    pinned: contract.rows.length - open,
    open,
  }
}

function readPage(root: string, path: string, idForm: RegExp): Page {
  if (!existsSync(join(root, path))) return { rows: [], errors: [`${path} does not exist.`] }
  return parsePage(path, readFileSync(join(root, path), 'utf8'), idForm)
}

/**
 * Reads the rows of every table that ends in a "Pinned by" column. Other tables are prose. A row that cannot be read is
 * an error and not a row, so that a slip of the pen never counts as a rule.
 */
export function parsePage(path: string, markdown: string, idForm: RegExp): Page {
  const page: Page = { rows: [], errors: [] }
  let columns: number | undefined

  for (const [index, text] of markdown.split('\n').entries()) {
    const cells = splitRow(text)
    if (cells === undefined) columns = undefined
    else if (columns === undefined) columns = cells.at(-1) === 'Pinned by' ? cells.length : 0
    else if (columns > 0 && !cells.every((cell) => /^:?-+:?$/.test(cell))) {
      const row = parseRow(cells, columns, idForm, index + 1)
      if (typeof row === 'string') page.errors.push(`${path}:${index + 1} ${row}`)
      else page.rows.push(row)
    }
  }
  page.errors.push(...duplicateIds(path, page.rows))
  return page
}

function parseRow(cells: string[], columns: number, idForm: RegExp, line: number): Row | string {
  const id = cells[0] ?? ''
  if (cells.length !== columns) return `row ${id} has ${cells.length} cells instead of ${columns}.`
  const form = idForm.exec(id)
  if (form === null) return `"${id}" has not the form of a row's id.`
  const name = form[1] ?? id
  if (cells.includes('')) return `row ${name} has an empty cell.`
  const pins = parsePins(cells.at(-1) ?? '')
  return pins === undefined
    ? `row ${name} names no test in the form \`file.test.ts\` › \`title\` and is not open either.`
    : { id: name, line, pins }
}

/** `open` is no pin at all; anything that is neither that nor a list of tests is undefined. */
export function parsePins(cell: string): Pin[] | undefined {
  if (cell === 'open') return []
  const pins = cell.split('<br>').map((part) => {
    const [file, title, ...rest] = part.split(' › ')
    const path = CODE_SPAN.exec(file?.trim() ?? '')?.[2]
    const named = CODE_SPAN.exec([title, ...rest].join(' › ').trim())?.[2]
    return path?.endsWith('.test.ts') && named ? { path, title: named } : undefined
  })
  return pins.every((pin) => pin !== undefined) ? pins : undefined
}

/** The cells of a table row, or undefined for a line that is none. A bar inside a cell is written `\|`, also in code. */
function splitRow(text: string): string[] | undefined {
  const row = text.trim()
  if (!row.startsWith('|')) return undefined
  const cells = row.slice(1, row.endsWith('|') && row.length > 1 ? -1 : undefined).split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function duplicateIds(path: string, rows: Row[]): string[] {
  const first = new Map<string, number>()
  return rows.flatMap(({ id, line }) => {
    const before = first.get(id)
    if (before === undefined) first.set(id, line)
    return before === undefined ? [] : [`${path}:${line} uses the id ${id} again, which line ${before} has.`]
  })
}

function missingTests(page: string, rows: Row[], titles: Map<string, Set<string>>): string[] {
  return rows.flatMap((row) =>
    row.pins.flatMap((pin) => {
      const known = titles.get(pin.path)
      if (known?.has(pin.title)) return []
      const problem = known
        ? `the test "${pin.title}", which ${pin.path} does not have`
        : `${pin.path}, which is no test file`
      return [`${page}:${row.line} row ${row.id} names ${problem}.`]
    }),
  )
}

function collectTitles(sources: Source[]): Map<string, Set<string>> {
  const tests = sources.filter(({ path }) => path.endsWith('.test.ts'))
  return new Map(tests.map(({ path, tokens }) => [path, new Set(findTitles(tokens))]))
}

/**
 * The titles that stand in `test(…)`, `it(…)` and `t.test(…)`: literals, and templates as the source has them, with their
 * `${…}`. A title put together otherwise cannot be named; one of `test.skip` or `test.todo`, or one that nothing follows,
 * pins nothing.
 */
export function findTitles(tokens: Token[]): string[] {
  return tokens.flatMap((token, index) => {
    const opening = tokens[index + 1]
    if (token.kind !== 'word' || !['test', 'it'].includes(token.text) || opening?.text !== '(') return []
    const { title, length } = titleAt(tokens, index + 2)
    return title !== undefined && tokens[index + 2 + length]?.text === ',' ? [title] : []
  })
}

function titleAt(tokens: Token[], start: number): { title: string | undefined; length: number } {
  const first = tokens[start]
  if (first?.kind !== 'template' || first.value !== undefined) return { title: first?.value, length: 1 }
  const isEnd = ({ kind, text }: Token) => kind === 'template-rest' && !text.endsWith('${')
  const length = tokens.slice(start).findIndex(isEnd) + 1
  const text = tokens.slice(start, start + length).map((token) => token.text)
  return { title: text.join('').slice(1, -1), length }
}
