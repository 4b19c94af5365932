import { type Html, html } from '../../http/page.ts'
import type { FailureReason } from '../cards.ts'
import type { Language } from './html.ts'

/** The fields of a card. After a refusal the number is marked as invalid and focused. */
export function renderCardFields({ t }: Language, problem: string | undefined): Html {
  const marks = { html: problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem" autofocus' }
  const later = t('succeeds now, and later payments', 'é aprovado agora, e os próximos pagamentos')
  return html`<fieldset>
    <legend>${t('Pay with a card', 'Pagar com cartão')}</legend>
    <label for="card">${t('Card number', 'Número do cartão')}</label>
    <input id="card" name="card" inputmode="numeric" autocomplete="cc-number" required value="4242 4242 4242 4242"${marks}>
    <label for="expiry">${t('Expiry (MM/YY)', 'Validade (MM/AA)')}</label>
    <input id="expiry" name="expiry" autocomplete="cc-exp" required value="12/34">
    <label for="cvc">${t('Security code', 'Código de segurança')}</label>
    <input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required value="123">
    <details>
      <summary>${t('Test cards', 'Cartões de teste')}</summary>
      <ul>
        <li>4242 4242 4242 4242: ${t('succeeds', 'é aprovado')}</li>
        <li>4000 0000 0000 0002: ${t('is declined', 'é recusado')}</li>
        <li>4000 0000 0000 0341: ${later} ${t('are declined', 'são recusados')}</li>
        <li>4000 0027 6000 3184: ${later} ${t('need authentication', 'exigem autenticação')}</li>
      </ul>
    </details>
  </fieldset>`
}

export function describeProblem({ t }: Language, reason: FailureReason): string {
  if (reason === 'incorrect_number') return t('Your card number is incorrect.', 'O número do cartão está incorreto.')
  return t('Your card was declined. Try another card.', 'Seu cartão foi recusado. Tente outro cartão.')
}
