/** The texts of the pages in English and Portuguese; `{}` stands for a value. */
const TEXTS = {
  simulated: [
    'This is the simulator. It stands in for Stripe; nothing here moves money.',
    'Este é o simulador. Ele faz as vezes do Stripe; nada aqui movimenta dinheiro.',
  ],
  subscribe: ['Subscribe', 'Assinar'],
  subscribeTo: ['Subscribe to {}', 'Assinar {}'],
  order: ['Your order', 'Seu pedido'],
  product: ['Product', 'Produto'],
  quantity: ['Quantity', 'Quantidade'],
  amount: ['Amount', 'Valor'],
  total: ['Total', 'Total'],
  perMonth: ['{} per month', '{} por mês'],
  payWith: ['Pay with a card', 'Pagar com cartão'],
  cardNumber: ['Card number', 'Número do cartão'],
  expiry: ['Expiry (MM/YY)', 'Validade (MM/AA)'],
  cvc: ['Security code', 'Código de segurança'],
  testCards: ['Test cards', 'Cartões de teste'],
  cardSucceeds: ['{}: succeeds', '{}: é aprovado'],
  cardDeclines: ['{}: is declined', '{}: é recusado'],
  cardDeclinesLater: [
    '{}: succeeds now; later payments are declined',
    '{}: é aprovado agora; os próximos pagamentos são recusados',
  ],
  cardActsLater: [
    '{}: succeeds now; later payments need authentication',
    '{}: é aprovado agora; os próximos pagamentos exigem autenticação',
  ],
  goBack: ['Cancel and go back', 'Cancelar e voltar'],
  declined: ['Your card was declined. Try another card.', 'Seu cartão foi recusado. Tente outro cartão.'],
  insufficient_funds: [
    'Your card has insufficient funds. Try another card.',
    'Seu cartão não tem saldo suficiente. Tente outro cartão.',
  ],
  expired_card: ['Your card has expired. Try another card.', 'Seu cartão está vencido. Tente outro cartão.'],
  incorrect_number: ['Your card number is incorrect.', 'O número do cartão está incorreto.'],
  live_card: [
    'This is not a test card. Only the test cards below work here.',
    'Este não é um cartão de teste. Aqui só funcionam os cartões de teste abaixo.',
  ],
  done: ['All done', 'Tudo certo'],
  alreadyPaid: [
    'This has already been paid. You can close this page.',
    'Isto já foi pago. Você pode fechar esta página.',
  ],
  expired: ['This page has expired', 'Esta página expirou'],
  startAgain: ['Go back and start again.', 'Volte e comece de novo.'],
  notFound: ['Page not found', 'Página não encontrada'],
  wrongAddress: [
    'The address is wrong, or the page is no longer there.',
    'O endereço está errado ou a página não existe mais.',
  ],
  manage: ['Manage your subscription', 'Gerenciar sua assinatura'],
  returnTo: ['Return to {}', 'Voltar para {}'],
  subscription: ['Subscription', 'Assinatura'],
  status: ['Status', 'Situação'],
  renewsOn: ['Renews on {}.', 'Renova em {}.'],
  endsOn: ['Ends on {}.', 'Termina em {}.'],
  noSubscription: ['There is no subscription.', 'Não há assinatura.'],
  cancel: ['Cancel subscription', 'Cancelar assinatura'],
  cancelExplained: [
    'It stays active until {} and is not renewed after that.',
    'Ela continua ativa até {} e não é renovada depois disso.',
  ],
  confirmCancel: ['Yes, cancel', 'Sim, cancelar'],
  resume: ['Do not cancel after all', 'Não cancelar mais'],
  paymentMethod: ['Payment method', 'Forma de pagamento'],
  cardEnding: ['{} ending in {}', '{} com final {}'],
  noCard: ['There is no card.', 'Não há cartão.'],
  changeCard: ['Use another card', 'Usar outro cartão'],
  saveCard: ['Save card', 'Salvar cartão'],
  cardSaved: ['The card was saved.', 'O cartão foi salvo.'],
  canceled: ['The subscription is canceled.', 'A assinatura foi cancelada.'],
  resumed: ['The subscription goes on.', 'A assinatura continua.'],
  invoices: ['Invoices', 'Faturas'],
  invoice: ['Invoice {}', 'Fatura {}'],
  noInvoices: ['There are no invoices yet.', 'Ainda não há faturas.'],
  date: ['Date', 'Data'],
  number: ['Number', 'Número'],
  pay: ['Pay', 'Pagar'],
  paySaved: ['Pay with the saved card', 'Pagar com o cartão salvo'],
  status_active: ['active', 'ativa'],
  status_past_due: ['payment overdue', 'pagamento atrasado'],
  status_unpaid: ['unpaid', 'não paga'],
  status_incomplete: ['not yet paid', 'ainda não paga'],
  status_canceled: ['canceled', 'cancelada'],
  status_incomplete_expired: ['expired', 'expirada'],
  status_draft: ['draft', 'rascunho'],
  status_open: ['open', 'em aberto'],
  status_paid: ['paid', 'paga'],
  status_void: ['void', 'anulada'],
} as const

export type TextKey = keyof typeof TEXTS

export interface Language {
  tag: 'en' | 'pt-BR'
  text(key: TextKey, ...values: string[]): string
}

/** The first language of the `Accept-Language` header that the pages have, or English. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const accepted = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', quality] = part.trim().split(/;\s*q=/)
    return { tag, quality: quality === undefined ? 1 : Number(quality) }
  })
  const known = accepted.sort((a, b) => b.quality - a.quality).find(({ tag }) => /^(en|pt)\b/i.test(tag))
  const isPortuguese = known !== undefined && /^pt/i.test(known.tag)
  return {
    tag: isPortuguese ? 'pt-BR' : 'en',
    text: (key, ...values) =>
      values.reduce((text, value) => text.replace('{}', () => value), TEXTS[key][isPortuguese ? 1 : 0] as string),
  }
}
