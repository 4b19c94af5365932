import type { Language } from '../../http/language.ts'
import { type Html, html } from '../../http/page.ts'
import type { FailureReason } from '../cards.ts'

/** The fields of a card. After a refusal the number is marked as invalid and focused. */
export function renderCardFields({ t }: Language, problem: string | undefined): Html {
  const marks = { html: problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem" autofocus' }
  return html`<fieldset>
    <legend>${t('payWithCard')}</legend>
    <label for="card">${t('cardNumber')}</label>
    <input id="card" name="card" inputmode="numeric" autocomplete="cc-number" required value="4242 4242 4242 4242"${marks}>
    <label for="expiry">${t('expiry')}</label>
    <input id="expiry" name="expiry" autocomplete="cc-exp" required value="12/34">
    <label for="cvc">${t('securityCode')}</label>
    <input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required value="123">
    <details>
      <summary>${t('testCards')}</summary>
      <ul>
        <li>4242 4242 4242 4242: ${t('succeeds')}</li>
        <li>4000 0000 0000 0002: ${t('isDeclined')}</li>
        <li>4000 0000 0000 0341: ${t('laterDeclined')}</li>
        <li>4000 0027 6000 3184: ${t('laterAuthenticated')}</li>
      </ul>
    </details>
  </fieldset>`
}

export function describeProblem({ t }: Language, reason: FailureReason): string {
  if (reason === 'incorrect_number') return t('incorrectNumber')
  return t('declined')
}
