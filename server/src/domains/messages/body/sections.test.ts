import { test } from 'node:test'
import { changed, GONE } from './test/change.ts'
import { EXAMPLES } from './test/examples.ts'
import { assertAccepted, assertRefused, testCounts, testLengths, testRefusals, testRequired } from './test/tables.ts'

const ACTION = '/interactive/action'
const SECTIONS = `${ACTION}/sections`

const row = (index: number) => ({ id: `${index}`, title: `${index}` })
const product = (index: number) => ({ product_retailer_id: `${index}` })
const times = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_none, index) => make(index))

testCounts('a list', [
  ['list', SECTIONS, 1, 10, (index) => ({ title: `${index}`, rows: [row(index)] })],
  ['product_list', SECTIONS, 1, 10, (index) => ({ title: `${index}`, product_items: [product(index)] })],
])

test('all sections together have at most 10 rows or 30 products', async () => {
  const spread = <T>(counts: number[], name: string, make: (index: number) => T) =>
    counts.map((count, index) => ({ title: `${index}`, [name]: times(count, (each) => make(100 * index + each)) }))

  for (const counts of [[10], [9, 1], [1, 4, 5]]) {
    await assertAccepted(changed(EXAMPLES.list, SECTIONS, spread(counts, 'rows', row)), `${counts} rows`)
  }
  for (const counts of [[11], [10, 1], [1, 4, 6]]) {
    await assertRefused(changed(EXAMPLES.list, SECTIONS, spread(counts, 'rows', row)), SECTIONS, `${counts} rows`)
  }
  for (const counts of [[30], [29, 1], [10, 10, 10]]) {
    const sections = spread(counts, 'product_items', product)
    await assertAccepted(changed(EXAMPLES.product_list, SECTIONS, sections), `${counts} products`)
  }
  for (const counts of [[31], [30, 1], [10, 10, 11]]) {
    const sections = spread(counts, 'product_items', product)
    await assertRefused(changed(EXAMPLES.product_list, SECTIONS, sections), SECTIONS, `${counts} products`)
  }
})

testRefusals('a section that has no title beside another, or nothing in it', [
  ['list', `${SECTIONS}/0/title`, GONE],
  ['list', `${SECTIONS}/1/title`, GONE],
  ['product_list', `${SECTIONS}/0/title`, GONE],
  ['product_list', `${SECTIONS}/1/title`, GONE],
  ['list', `${SECTIONS}/1/rows`, []],
  ['list of one section', `${SECTIONS}/0/rows`, []],
  ['product_list', `${SECTIONS}/1/product_items`, []],
])

testRequired('a list', [
  ['list', `${ACTION}/button`],
  ['list', SECTIONS],
  ['list', `${SECTIONS}/1/rows`],
  ['list', `${SECTIONS}/1/rows/0/id`],
  ['list', `${SECTIONS}/1/rows/0/title`],
  ['product_list', `${SECTIONS}/1/product_items`],
  ['product_list', `${SECTIONS}/1/product_items/0/product_retailer_id`],
])

testLengths('a list', [
  ['list', `${ACTION}/button`, 1, 20],
  ['list', `${SECTIONS}/1/title`, 1, 24],
  ['list', `${SECTIONS}/1/rows/0/id`, 1, 200],
  ['list', `${SECTIONS}/1/rows/0/title`, 1, 24],
  ['list', `${SECTIONS}/0/rows/1/description`, 0, 72],
  ['list of one section', `${SECTIONS}/0/title`, 1, 24],
  ['product_list', `${SECTIONS}/1/title`, 1, 24],
])

testRefusals('a member of a list that is of another kind', [
  ['list', `${SECTIONS}/0`, []],
  ['list', `${SECTIONS}/0/rows/0`, 'a'],
  ['product_list', `${SECTIONS}/0/product_items/0`, 'a'],
  ['product_list', `${SECTIONS}/0/product_items/0/product_retailer_id`, ''],
])
