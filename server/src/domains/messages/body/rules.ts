import type { Static } from 'typebox'
import { type Issue, toIssue } from '../../../kernel/errors.ts'
import { type Interactive, PRODUCTS_MAX, ROWS_MAX } from './interactive.ts'
import type { AddressedMessageBody } from './message-body.ts'

type Action<T extends string> = Extract<Static<typeof Interactive>, { type: T }>['action']
type Card = Action<'carousel'>['cards'][number]

const ACTION = '/interactive/action'

/** The rules that concern several members at once, for a body that matches its schema. */
export function findBrokenRules(body: AddressedMessageBody): Issue[] {
  if (body.type !== 'interactive') return []
  const { interactive } = body
  switch (interactive.type) {
    case 'button':
      return findRepeatedReplies(interactive.action)
    case 'list':
      return limitTotal(interactive.action.sections.flatMap(({ rows }) => rows).length, ROWS_MAX, 'too_many_rows')
    case 'product_list':
      return limitTotal(
        interactive.action.sections.flatMap((section) => section.product_items).length,
        PRODUCTS_MAX,
        'too_many_products',
      )
    case 'carousel':
      return findCardConflicts(interactive.action.cards)
    default:
      return []
  }
}

/** An answer names the button by id and title: two equal ones could not be distinguished. */
function findRepeatedReplies({ buttons }: Action<'button'>): Issue[] {
  return (['id', 'title'] as const).flatMap((name) =>
    findRepeats(buttons.map(({ reply }) => reply[name])).map((index) =>
      toIssue(`${ACTION}/buttons/${index}/reply/${name}`, 'button_repeated'),
    ),
  )
}

function limitTotal(count: number, maximum: number, reason: 'too_many_rows' | 'too_many_products'): Issue[] {
  return count > maximum ? [toIssue(`${ACTION}/sections`, reason, { maximum })] : []
}

/** WhatsApp draws all cards of a carousel alike, so they must have the same kind of action. */
function findCardConflicts(cards: Card[]): Issue[] {
  const indexes = findRepeats(cards.map((card) => card.card_index))
  const kinds = cards.map(toActionKind)
  return [
    ...indexes.map((at) => toIssue(`${ACTION}/cards/${at}/card_index`, 'card_repeated')),
    ...kinds.flatMap((kind, at) => (kind === kinds[0] ? [] : [toIssue(`${ACTION}/cards/${at}`, 'card_of_other_kind')])),
  ]
}

function toActionKind(card: Card): string {
  return card.type === 'cta_url' && card.action.buttons !== undefined ? 'quick_reply' : card.type
}

/** The positions of values that occur earlier in the list. A card of a type that the hub does not know may have none. */
function findRepeats(values: unknown[]): number[] {
  return values.flatMap((value, at) => (value !== undefined && values.indexOf(value) < at ? [at] : []))
}
