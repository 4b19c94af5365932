import type { Issue } from '../../../kernel/errors.ts'
import { listOf, open, ruled } from './composites.ts'
import { issueAt, text } from './shape.ts'

const SECTIONS = { min: 1, max: 10 }
const ROWS_MAX = 10
const PRODUCTS_MAX = 30

const title = text({ max: 24 })
const row = open({ id: text({ max: 200 }), title }, { description: text({ min: 0, max: 72 }) })
const product = open({ product_retailer_id: text() }, {})

export const rowSections = ruled(
  listOf(open({ rows: listOf(row, { min: 1 }) }, { title }), SECTIONS),
  (sections, path) => [
    ...untitled(sections, path),
    ...tooMany({ count: sections.flatMap(({ rows }) => rows).length, max: ROWS_MAX, what: 'rows' }, path),
  ],
)

export const productSections = ruled(
  listOf(open({ product_items: listOf(product, { min: 1 }) }, { title }), SECTIONS),
  (sections, path) => {
    const count = sections.flatMap((section) => section.product_items).length
    return [...untitled(sections, path), ...tooMany({ count, max: PRODUCTS_MAX, what: 'products' }, path)]
  },
)

/** One section needs no name; several could not be told apart without. */
function untitled(sections: { title?: string }[], path: string): Issue[] {
  if (sections.length === 1) return []
  return sections.flatMap((section, index) =>
    section.title === undefined
      ? issueAt(`${path}/${index}/title`, 'is required where there is more than one section')
      : [],
  )
}

function tooMany({ count, max, what }: { count: number; max: number; what: string }, path: string): Issue[] {
  return count > max ? issueAt(path, `must NOT have more than ${max} ${what} in all`) : []
}
