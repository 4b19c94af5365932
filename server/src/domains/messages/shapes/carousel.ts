import { Type } from 'typebox'
import type { Issue } from '../../../kernel/errors.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import { byType, listOf, oneOfTypes, open, ruled, tagged } from './composites.ts'
import { file, link } from './media.ts'
import { choice, integer, issueAt, type Shape, text } from './shape.ts'

export const linkAction = open(
  { name: choice('cta_url'), parameters: open({ display_text: text({ max: 20 }), url: link }, {}) },
  {},
)

const reply = open({ id: text({ max: 20 }), title: text({ max: 20 }) }, {})
const quickReplies = open(
  { buttons: listOf(open({ type: choice('quick_reply'), quick_reply: reply }, {}), { min: 1 }) },
  {},
)

/** A card leads to one page, or offers replies. */
const mediaAction: Shape<JsonObject> = {
  schema: Type.Unsafe({ anyOf: [linkAction.schema, quickReplies.schema] }),
  refuse(value, path) {
    const hasReplies = isObject(value) && value.buttons !== undefined
    return (hasReplies ? quickReplies : linkAction).refuse(value, path)
  },
}

const index = { card_index: integer({ min: 0, max: 9 }) }
const picture = oneOfTypes(tagged('image', { image: file }, {}), tagged('video', { video: file }, {}))
const product = open({ product_retailer_id: text(), catalog_id: text() }, {})

const card = byType(
  [
    tagged(
      'cta_url',
      { ...index, header: picture, action: mediaAction },
      { body: open({ text: text({ max: 160 }) }, {}) },
    ),
    tagged('product', { ...index, action: product }, {}),
  ],
  'A card of a kind that is not listed is passed on as it is.',
)

export const cards = ruled(listOf(card, { min: 2, max: 10 }), (all, path) => [
  ...repeatedIndexes(all, path),
  ...mixedKinds(all, path),
])

function repeatedIndexes(all: JsonObject[], path: string): Issue[] {
  const indexes = all.map((one) => one.card_index)
  return indexes.flatMap((value, at) =>
    value !== undefined && indexes.indexOf(value) < at
      ? issueAt(`${path}/${at}/card_index`, 'must differ from that of every other card')
      : [],
  )
}

/** A phone draws all cards alike, so they must all lead somewhere, all offer replies, or all be products. */
function mixedKinds(all: JsonObject[], path: string): Issue[] {
  const kinds = all.map(kindOf)
  return kinds.flatMap((kind, at) =>
    kind === kinds[0] ? [] : issueAt(`${path}/${at}`, 'must have the same kind of button as the first card'),
  )
}

function kindOf({ type, action }: JsonObject): string {
  return type === 'cta_url' && isObject(action) && action.buttons !== undefined ? 'quick_reply' : String(type)
}
