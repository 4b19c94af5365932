import type { Block, Inline } from '../src/features/docs/content.ts'
import { readCode } from './code.ts'
import { parseInline, type Surroundings, toPlainText } from './inline.ts'

/**
 * The Markdown of the guides as a tree: headings, paragraphs, lists, tables, code and images. It is a small part of the
 * language. What is not in it, HTML above all, stays text, which the page shows as it was written.
 */
const FENCE = /^(\s*)(`{3,})\s*([\w-]*)\s*$/
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/
const ITEM = /^(\s*)([-*]|\d{1,9}\.)\s+(.*)$/
const IMAGE = /^!\[([^\]]*)\]\(([^()\s]+)\)$/
const PICTURE = /^<picture>\s*$/
const COMMENT = /^<!--/
/** A heading is a link itself, and leads to its own address. */
const WITHOUT_LINKS: Surroundings = { findTarget: () => undefined, findOperation: () => undefined }
const DELIMITERS = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

export type Document = { title: string; blocks: Block[] }

/** The first heading is the title. */
export function parseMarkdown(markdown: string, surroundings: Surroundings): Document {
  const blocks = parseBlocks(markdown.replaceAll('\r\n', '\n').split('\n'), surroundings)
  numberHeadings(blocks)
  const [first] = blocks
  if (first?.kind !== 'heading' || first.level !== 1) return { title: '', blocks }
  return { title: toPlainText(first.text), blocks: blocks.slice(1) }
}

export function parseBlocks(lines: string[], surroundings: Surroundings): Block[] {
  const blocks: Block[] = []
  let position = 0
  while (position < lines.length) {
    const { length, block } = readBlock(lines, position, surroundings)
    if (block) blocks.push(block)
    position += length
  }
  return blocks
}

type Read = { length: number; block?: Block }

function readBlock(lines: string[], start: number, surroundings: Surroundings): Read {
  const line = lines[start] ?? ''
  if (line.trim() === '') return { length: 1 }
  if (COMMENT.test(line)) return { length: findEnd(lines, start, (one) => one.includes('-->')) }
  if (FENCE.test(line)) return readFence(lines, start, surroundings)
  const heading = HEADING.exec(line)
  if (heading) {
    const [, marks = '', text = ''] = heading
    return {
      length: 1,
      block: { kind: 'heading', level: marks.length, id: '', text: parseInline(text, WITHOUT_LINKS) },
    }
  }
  const image = IMAGE.exec(line.trim())
  if (image) return { length: 1, ...toImage(image[2] ?? '', image[1] ?? '', surroundings) }
  if (PICTURE.test(line)) return readPicture(lines, start, surroundings)
  if (line.includes('|') && DELIMITERS.test(lines[start + 1] ?? '')) return readTable(lines, start, surroundings)
  if (ITEM.test(line)) return readList(lines, start, surroundings)
  return readParagraph(lines, start, surroundings)
}

/** The number of lines up to and with the first for which it is true. */
function findEnd(lines: string[], start: number, isEnd: (line: string) => boolean): number {
  const end = lines.slice(start).findIndex(isEnd)
  return end < 0 ? lines.length - start : end + 1
}

function readFence(lines: string[], start: number, { findOperation }: Surroundings): Read {
  const [, indent = '', fence = '', language = ''] = FENCE.exec(lines[start] ?? '') ?? []
  const inside = findEnd(lines, start + 1, (line) => line.trim().startsWith(fence) && /^`+$/.test(line.trim()))
  const code = lines
    .slice(start + 1, start + inside)
    .map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ''))
  return { length: inside + 1, block: readCode(code.join('\n'), language, findOperation) }
}

function toImage(address: string, text: string, { findTarget }: Surroundings): { block?: Block } {
  const target = findTarget(address)
  if (!target || !('file' in target)) return {}
  const light = target.file
  const other = findTarget(address.replace('-light.', '-dark.'))
  const dark = other && 'file' in other ? other.file : light
  return { block: { kind: 'image', light, dark, text } }
}

/** An image with another one for the dark theme. */
function readPicture(lines: string[], start: number, surroundings: Surroundings): Read {
  const length = findEnd(lines, start, (line) => line.includes('</picture>'))
  const picture = lines.slice(start, start + length).join('\n')
  const [, text = '', address = ''] = /<img alt="([^"]*)" src="([^"]+)"/.exec(picture) ?? []
  return { length, ...toImage(address, text, surroundings) }
}

function readTable(lines: string[], start: number, surroundings: Surroundings): Read {
  const end = findEnd(lines, start, (line) => !line.includes('|'))
  const length = lines[start + end - 1]?.includes('|') ? end : end - 1
  const [head = [], , ...rows] = lines
    .slice(start, start + length)
    .map((line) => splitRow(line).map((cell) => parseInline(cell, surroundings)))
  const whole = rows.map((row) => head.map((_, column): Inline[] => row[column] ?? []))
  return { length, block: { kind: 'table', head, rows: whole } }
}

/** A cell may have `\|`, also in code. */
function splitRow(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function readList(lines: string[], start: number, surroundings: Surroundings): Read {
  const [, indent = '', mark = ''] = ITEM.exec(lines[start] ?? '') ?? []
  const isOrdered = mark.endsWith('.')
  const items: string[][] = []
  let position = start
  while (position < lines.length) {
    const line = lines[position] ?? ''
    const found = ITEM.exec(line)
    const isItem = found?.[1] === indent && (found[2] ?? '').endsWith('.') === isOrdered
    const isIndented = line.startsWith(`${indent}  `)
    const isBlank = line.trim() === ''
    if (isItem) items.push([found[3] ?? ''])
    else if (
      isBlank ? belongsToList(lines, position, indent, isOrdered) : isIndented || !endsParagraph(lines, position)
    )
      items.at(-1)?.push(line)
    else break
    position += 1
  }
  const block: Block = {
    kind: 'list',
    ...(isOrdered && { start: Number.parseInt(mark, 10) }),
    items: items.map((item) => parseBlocks(dedent(item), surroundings)),
  }
  return { length: position - start, block }
}

/** After a blank line only another item, or what is indented below this one. */
function belongsToList(lines: string[], position: number, indent: string, isOrdered: boolean): boolean {
  const next = lines.slice(position).find((line) => line.trim() !== '') ?? ''
  const item = ITEM.exec(next)
  return next.startsWith(`${indent}  `) || (item?.[1] === indent && (item[2] ?? '').endsWith('.') === isOrdered)
}

/** The first line is the text behind the mark, so the others lose as much as the least indented of them has. */
function dedent([first = '', ...others]: string[]): string[] {
  const least = Math.min(...others.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return [first, ...others.map((line) => line.slice(Number.isFinite(least) ? least : 0))]
}

function readParagraph(lines: string[], start: number, surroundings: Surroundings): Read {
  let end = start + 1
  while (end < lines.length && !endsParagraph(lines, end)) end += 1
  const source = lines.slice(start, end).map((line) => line.trim())
  const text = parseInline(source.join('\n'), surroundings)
  const operation = findNamed(text)
  return { length: end - start, block: { kind: 'paragraph', text, ...(operation !== undefined && { operation }) } }
}

function endsParagraph(lines: string[], position: number): boolean {
  const line = lines[position] ?? ''
  const [, , mark] = ITEM.exec(line) ?? []
  return (
    line.trim() === '' ||
    FENCE.test(line) ||
    HEADING.test(line) ||
    COMMENT.test(line) ||
    PICTURE.test(line) ||
    mark === '-' ||
    mark === '*' ||
    mark === '1.' ||
    (line.includes('|') && DELIMITERS.test(lines[position + 1] ?? ''))
  )
}

/** The first operation that the text names. */
function findNamed(inlines: readonly Inline[]): string | undefined {
  for (const one of inlines) {
    if (typeof one === 'object' && 'link' in one && 'operation' in one.link) return one.link.operation
  }
  return undefined
}

/** Gives each heading the id that other readers of Markdown make of it. */
function numberHeadings(blocks: Block[]): void {
  const seen = new Map<string, number>()
  for (const block of blocks) {
    if (block.kind !== 'heading') continue
    const id = toPlainText(block.text)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(id) ?? 0
    seen.set(id, count + 1)
    block.id = count === 0 ? id : `${id}-${count}`
  }
}
