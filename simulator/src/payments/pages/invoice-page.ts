import { methodFor } from '../billing/charge.ts'
import type { Payments } from '../context.ts'
import type { Invoice } from '../objects/invoice.ts'
import { moneyText } from '../wording.ts'
import { cardFields } from './card-form.ts'
import type { Page } from './checkout-page.ts'
import { alertOf, type Html, html } from './layout.ts'
import type { Language } from './words.ts'

/** An invoice, and while it is open the means to pay it. */
export function invoicePage(payments: Payments, invoice: Invoice, language: Language, problem?: string): Page {
  const { tag, words } = language
  const money = (amount: number) => moneyText(amount, invoice.currency, tag)
  const rows = invoice.lines.data.map(({ description, amount }) => {
    return html`<tr><td>${description}</td><td class="amount">${money(amount)}</td></tr>`
  })
  const body = html`${alertOf(problem)}
  <p>${words.status}: ${words.statuses[invoice.status]}</p>
  <table>
    <tbody>${rows}</tbody>
    <tfoot><tr><th scope="row">${words.total}</th><td class="amount">${money(invoice.total)}</td></tr></tfoot>
  </table>
  ${invoice.status === 'open' ? payForms(payments, invoice, language, problem) : html``}`
  return { title: `${words.invoice} ${invoice.number ?? ''}`.trim(), body }
}

function payForms(payments: Payments, invoice: Invoice, { words }: Language, problem: string | undefined): Html {
  const saved = methodFor(payments, invoice)
  const quick = html`<form method="post"><p>${saved ? words.cardEnding(saved.card.brand, saved.card.last4) : ''}</p><button name="with" value="saved">${words.paySaved}</button></form>`
  return html`${saved ? quick : html``}
  <form method="post">
    ${cardFields(words, problem)}
    <button name="with" value="new">${words.pay}</button>
  </form>`
}
