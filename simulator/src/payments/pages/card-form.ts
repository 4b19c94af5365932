import type { FailureReason } from '../billing/failures.ts'
import { type Html, html } from './layout.ts'
import type { Words } from './words.ts'

const TEST_CARDS: readonly [number: string, behaviour: keyof Words['cards']][] = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0000 0000 0002', 'declines'],
  ['4000 0000 0000 0341', 'laterDeclines'],
  ['4000 0027 6000 3184', 'laterActs'],
]

/** The fields of a card. A number that was refused is marked, and the reader is taken to it. */
export function cardFields(words: Words, problem: string | undefined): Html {
  const marks = { html: problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem" autofocus' }
  return html`<fieldset>
    <legend>${words.payWith}</legend>
    <label for="card">${words.cardNumber}</label>
    <input id="card" name="card" inputmode="numeric" autocomplete="cc-number" required value="4242 4242 4242 4242"${marks}>
    <label for="expiry">${words.expiry}</label>
    <input id="expiry" name="expiry" autocomplete="cc-exp" required value="12/34">
    <label for="cvc">${words.cvc}</label>
    <input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required value="123">
    <label for="name">${words.holder}</label>
    <input id="name" name="name" autocomplete="cc-name">
    <details>
      <summary>${words.testCards}</summary>
      <ul>
        ${TEST_CARDS.map(([number, behaviour]) => html`<li>${number}: ${words.cards[behaviour]}</li>`)}
      </ul>
    </details>
  </fieldset>`
}

export function problemText(words: Words, reason: FailureReason): string {
  if (reason === 'insufficient_funds') return words.insufficientFunds
  if (reason === 'expired_card') return words.expiredCard
  if (reason === 'incorrect_number') return words.incorrectNumber
  return reason === 'live_card' ? words.liveCard : words.declined
}
