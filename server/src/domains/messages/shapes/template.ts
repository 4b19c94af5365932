import { Type } from 'typebox'
import { byType, listOf, open, tagged } from './composites.ts'
import { latitude, longitude } from './location.ts'
import { file, namedFile } from './media.ts'
import { anyObject, choice, integer, issueAt, matching, type Shape, text } from './shape.ts'

const PASSED_ON = 'One of a type that is not listed is passed on as it is.'

const currency = open({ fallback_value: text(), code: text(), amount_1000: integer() }, {})
const place = open({ latitude, longitude }, { name: text({ min: 0 }), address: text({ min: 0 }) })
const buttonAction = open(
  {},
  {
    flow_token: text({ min: 0 }),
    flow_action_data: anyObject,
    thumbnail_product_retailer_id: text(),
    sections: listOf(anyObject),
  },
)

const parameter = byType(
  [
    tagged('text', { text: text() }, { parameter_name: text() }),
    tagged('currency', { currency }, {}),
    tagged('date_time', { date_time: open({ fallback_value: text() }, {}) }, {}),
    tagged('image', { image: file }, {}),
    tagged('video', { video: file }, {}),
    tagged('document', { document: namedFile }, {}),
    tagged('location', { location: place }, {}),
    tagged('payload', { payload: text() }, {}),
    tagged('coupon_code', { coupon_code: text() }, {}),
    tagged('action', { action: buttonAction }, {}),
  ],
  PASSED_ON,
)
const parameters = listOf(parameter)

/** Which of ten buttons: clients write the number with and without quotes. */
const position: Shape<string | number> = {
  schema: Type.Unsafe({ type: ['string', 'integer'], pattern: '^[0-9]$', minimum: 0, maximum: 9 }),
  refuse(value, path) {
    const isPosition = (typeof value === 'string' || typeof value === 'number') && /^[0-9]$/.test(String(value))
    return isPosition ? [] : issueAt(path, 'must be a number from 0 to 9, or such a number as text')
  },
}

const plain = [
  tagged(['header', 'body', 'limited_time_offer'], {}, { parameters }),
  tagged('button', { sub_type: text() }, { index: position, parameters }),
]

const card = open({ card_index: integer({ min: 0, max: 9 }), components: listOf(byType(plain, PASSED_ON)) }, {})
const carousel = tagged('carousel', { cards: listOf(card, { min: 1, max: 10 }) }, {})

export const template = open(
  {
    name: matching('^[a-z0-9_]{1,512}$'),
    language: open({ code: matching('^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,4})?$') }, { policy: choice('deterministic') }),
  },
  { components: listOf(byType([...plain, carousel], PASSED_ON)) },
)
