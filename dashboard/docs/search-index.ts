import type { Block, Inline, Reference, SearchEntry } from '../src/features/docs/content.ts'
import type { ReadGuide } from './guides.ts'
import { toPlainText } from './inline.ts'

/** An entry for each heading of the guides, with the text below it. Code is left out: what it is about is in the text. */
export function indexGuides(guides: readonly ReadGuide[]): SearchEntry[] {
  return guides.flatMap(indexGuide)
}

function indexGuide({ slug, title, blocks }: ReadGuide): SearchEntry[] {
  const entries: SearchEntry[] = [{ target: { guide: slug }, title, text: '' }]
  for (const block of blocks) {
    const last = entries.at(-1)
    if (block.kind === 'heading') {
      const target = { guide: slug, heading: block.id }
      entries.push({ target, title, section: toPlainText(block.text), text: '' })
    } else if (last) last.text = `${last.text} ${readText(block)}`.trim()
  }
  return entries
}

function readText(block: Block): string {
  if (block.kind === 'paragraph') return toLine(block.text)
  if (block.kind === 'list') return block.items.flat().map(readText).join(' ')
  if (block.kind === 'table') return [block.head, ...block.rows].flat().map(toLine).filter(Boolean).join(' · ')
  return ''
}

function toLine(text: readonly Inline[]): string {
  return toPlainText(text).replaceAll(/\s+/g, ' ')
}

export function indexOperations({ operations }: Reference): SearchEntry[] {
  return operations.map(({ id, method, path, summary, description, scopes, errors }) => ({
    target: { operation: id },
    title: summary,
    section: `${method} ${path}`,
    text: [...description.map(readText), ...scopes, ...errors.flatMap(({ codes }) => codes)].join(' '),
  }))
}
