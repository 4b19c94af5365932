/** What the bank says to a charge. */
export type Verdict = 'succeeds' | 'requires_action' | Decline

/** A decline is named by its code; most are told to the merchant as `card_declined`. */
export type Decline = 'generic_decline' | 'insufficient_funds' | 'expired_card' | 'lost_card' | 'do_not_honor'

export const DECLINES: readonly Decline[] = [
  'generic_decline',
  'insufficient_funds',
  'expired_card',
  'lost_card',
  'do_not_honor',
]

/** How a card behaves while its owner is at the page, and when it is charged without them. */
export interface CardBehaviour {
  onSession: Verdict
  offSession: Verdict
}

interface TestCard extends CardBehaviour {
  brand: string
  country: string
}

/** The provider's own test numbers. */
const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': { brand: 'visa', country: 'US', onSession: 'succeeds', offSession: 'succeeds' },
  '5555555555554444': { brand: 'mastercard', country: 'US', onSession: 'succeeds', offSession: 'succeeds' },
  '4000000760000002': { brand: 'visa', country: 'BR', onSession: 'succeeds', offSession: 'succeeds' },
  '4000000000000002': { brand: 'visa', country: 'US', onSession: 'generic_decline', offSession: 'generic_decline' },
  '4000000000009995': {
    brand: 'visa',
    country: 'US',
    onSession: 'insufficient_funds',
    offSession: 'insufficient_funds',
  },
  '4000000000000069': { brand: 'visa', country: 'US', onSession: 'expired_card', offSession: 'expired_card' },
  '4000000000000341': { brand: 'visa', country: 'US', onSession: 'succeeds', offSession: 'generic_decline' },
  '4000002760003184': { brand: 'visa', country: 'DE', onSession: 'succeeds', offSession: 'requires_action' },
}

/** The names under which a program, which must not see numbers, attaches the same cards. */
export const TEST_METHODS: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_br: '4000000760000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequired: '4000002760003184',
}

export type CardReading = { card: TestCard; number: string } | { refusal: 'incorrect_number' | 'live_card' }

/** Reads a number as a person types it. */
export function readCard(typed: string): CardReading {
  const number = typed.replace(/[\s-]/g, '')
  const card = TEST_CARDS[number]
  if (card) return { card, number }
  return { refusal: /^\d{12,19}$/.test(number) && passesLuhn(number) ? 'live_card' : 'incorrect_number' }
}

function passesLuhn(number: string): boolean {
  const sum = [...number]
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? Number(digit) : doubled(Number(digit))))
    .reduce((total, digit) => total + digit, 0)
  return sum % 10 === 0
}

function doubled(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2
}
