import { test } from 'node:test'
import { changed, GONE, valueAt } from './test/change.ts'
import { EXAMPLES } from './test/examples.ts'
import {
  assertAccepted,
  assertRefused,
  testAcceptances,
  testCounts,
  testLengths,
  testRefusals,
  testRequired,
} from './test/tables.ts'

const CARDS = '/interactive/action/cards'
const linked = Object(valueAt(EXAMPLES.carousel, `${CARDS}/0`))
const product = Object(valueAt(EXAMPLES['carousel of products'], `${CARDS}/0`))
const replies = Object(valueAt(EXAMPLES['carousel of replies'], `${CARDS}/0`))

testCounts('a carousel', [
  ['carousel', CARDS, 2, 10, (index) => ({ ...linked, card_index: index % 10 })],
  ['carousel of replies', CARDS, 2, 10, (index) => ({ ...replies, card_index: index % 10 })],
  ['carousel of products', CARDS, 2, 10, (index) => ({ ...product, card_index: index % 10 })],
])

test('each card has a different card_index from 0 to 9', async () => {
  const place = `${CARDS}/1/card_index`

  for (const index of [1, 9]) await assertAccepted(changed(EXAMPLES.carousel, place, index), String(index))
  for (const index of [0, 10, -1, 1.5, '1', null]) {
    await assertRefused(changed(EXAMPLES.carousel, place, index), place, String(index))
  }
})

test('the cards of a carousel all have links, all have quick replies, or all are products', async () => {
  for (const [first, second] of [
    [linked, replies],
    [replies, linked],
    [linked, product],
    [product, replies],
  ]) {
    const cards = [first, { ...second, card_index: 1 }]
    await assertRefused(changed(EXAMPLES.carousel, CARDS, cards), `${CARDS}/1`, JSON.stringify(cards))
  }
})

test('the header of a card is an image or a video', async () => {
  const place = `${CARDS}/1/header`

  await assertAccepted(changed(EXAMPLES.carousel, place, { type: 'video', video: { id: '1' } }), 'video')
  for (const type of ['text', 'document']) {
    const header = { type, [type]: { id: '1' } }
    await assertRefused(changed(EXAMPLES.carousel, place, header), `${place}/type`, type)
  }
})

testRequired('a carousel', [
  ['carousel', `${CARDS}/1/type`],
  ['carousel', `${CARDS}/1/card_index`],
  ['carousel', `${CARDS}/1/header`],
  ['carousel', `${CARDS}/1/header/type`],
  ['carousel', `${CARDS}/1/header/image`],
  ['carousel', `${CARDS}/1/body/text`],
  ['carousel', `${CARDS}/1/action`],
  ['carousel', `${CARDS}/1/action/name`],
  ['carousel', `${CARDS}/1/action/parameters`],
  ['carousel', `${CARDS}/1/action/parameters/display_text`],
  ['carousel', `${CARDS}/1/action/parameters/url`],
  ['carousel of replies', `${CARDS}/1/action/buttons/1/type`],
  ['carousel of replies', `${CARDS}/1/action/buttons/1/quick_reply`],
  ['carousel of replies', `${CARDS}/1/action/buttons/1/quick_reply/id`],
  ['carousel of replies', `${CARDS}/1/action/buttons/1/quick_reply/title`],
  ['carousel of products', `${CARDS}/1/card_index`],
  ['carousel of products', `${CARDS}/1/action`],
  ['carousel of products', `${CARDS}/1/action/catalog_id`],
  ['carousel of products', `${CARDS}/1/action/product_retailer_id`],
])

testLengths('a card', [
  ['carousel', `${CARDS}/1/body/text`, 1, 160],
  ['carousel', `${CARDS}/1/action/parameters/display_text`, 1, 20],
  ['carousel of replies', `${CARDS}/1/action/buttons/1/quick_reply/id`, 1, 20],
  ['carousel of replies', `${CARDS}/1/action/buttons/1/quick_reply/title`, 1, 20],
])

testRefusals('a member of a card that is of another kind', [
  ['carousel', `${CARDS}/1`, 'a'],
  ['carousel', `${CARDS}/1/type`, ''],
  ['carousel', `${CARDS}/1/body`, 'a'],
  ['carousel', `${CARDS}/1/action`, []],
  ['carousel', `${CARDS}/1/action/name`, 'url'],
  ['carousel of replies', `${CARDS}/1/action/buttons`, []],
  ['carousel of replies', `${CARDS}/1/action/buttons`, {}],
  ['carousel of replies', `${CARDS}/1/action/buttons/0/type`, 'reply'],
  ['carousel of products', `${CARDS}/1/action/catalog_id`, ''],
  ['carousel of products', `${CARDS}/1/action/product_retailer_id`, 7],
])

testAcceptances('a card without words, or with one reply', [
  ['carousel', `${CARDS}/1/body`, GONE],
  ['carousel of replies', `${CARDS}/1/action/buttons`, [{ type: 'quick_reply', quick_reply: { id: '1', title: '1' } }]],
])
