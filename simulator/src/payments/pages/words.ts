const ENGLISH = {
  simulated: 'This is the simulator. It stands in for Stripe; nothing here moves money.',
  subscribe: 'Subscribe',
  subscribeTo: (merchant: string) => `Subscribe to ${merchant}`,
  order: 'Your order',
  product: 'Product',
  quantity: 'Quantity',
  amount: 'Amount',
  total: 'Total',
  perInterval: { day: 'per day', week: 'per week', month: 'per month', year: 'per year' },
  payWith: 'Pay with a card',
  email: 'Email',
  cardNumber: 'Card number',
  expiry: 'Expiry (MM/YY)',
  cvc: 'Security code',
  holder: 'Name on the card',
  testCards: 'Test cards',
  goBack: 'Cancel and go back',
  declined: 'Your card was declined. Try another card.',
  insufficientFunds: 'Your card has insufficient funds. Try another card.',
  expiredCard: 'Your card has expired. Try another card.',
  incorrectNumber: 'Your card number is incorrect.',
  liveCard: 'This is not a test card. Only the test cards below work here.',
  cards: {
    succeeds: 'succeeds',
    declines: 'is declined',
    laterDeclines: 'succeeds now; later payments are declined',
    laterActs: 'succeeds now; later payments need authentication',
  },
  done: 'All done',
  alreadyPaid: 'This has already been paid. You can close this page.',
  expired: 'This page has expired',
  expiredLong: 'Go back and start again.',
  unknown: 'There is nothing here',
  unknownLong: 'The address is wrong, or the page is no longer there.',
  manage: 'Manage your subscription',
  returnTo: (merchant: string) => `Return to ${merchant}`,
  subscription: 'Subscription',
  status: 'Status',
  renewsOn: (date: string) => `Renews on ${date}.`,
  endsOn: (date: string) => `Ends on ${date}.`,
  noSubscription: 'There is no subscription.',
  cancelPlan: 'Cancel subscription',
  cancelExplained: (date: string) => `It stays active until ${date} and is not renewed after that.`,
  cancelExplainedNow: 'It ends at once.',
  confirmCancel: 'Yes, cancel',
  resumePlan: 'Do not cancel after all',
  paymentMethod: 'Payment method',
  cardEnding: (brand: string, last4: string) => `${brand} ending in ${last4}`,
  noCard: 'There is no card.',
  changeCard: 'Use another card',
  saveCard: 'Save card',
  cardSaved: 'The card was saved.',
  canceled: 'The subscription is canceled.',
  resumed: 'The subscription goes on.',
  paid: 'The invoice is paid.',
  invoices: 'Invoices',
  invoice: 'Invoice',
  noInvoices: 'There are no invoices yet.',
  date: 'Date',
  number: 'Number',
  pay: 'Pay',
  paySaved: 'Pay with the saved card',
  statuses: {
    active: 'active',
    past_due: 'payment overdue',
    unpaid: 'unpaid',
    incomplete: 'not yet paid',
    canceled: 'canceled',
    incomplete_expired: 'expired',
    draft: 'draft',
    open: 'open',
    paid: 'paid',
    void: 'void',
    uncollectible: 'uncollectible',
  },
}

export type Words = typeof ENGLISH

const PORTUGUESE: Words = {
  simulated: 'Este é o simulador. Ele faz as vezes do Stripe; nada aqui movimenta dinheiro.',
  subscribe: 'Assinar',
  subscribeTo: (merchant) => `Assinar ${merchant}`,
  order: 'Seu pedido',
  product: 'Produto',
  quantity: 'Quantidade',
  amount: 'Valor',
  total: 'Total',
  perInterval: { day: 'por dia', week: 'por semana', month: 'por mês', year: 'por ano' },
  payWith: 'Pagar com cartão',
  email: 'E-mail',
  cardNumber: 'Número do cartão',
  expiry: 'Validade (MM/AA)',
  cvc: 'Código de segurança',
  holder: 'Nome no cartão',
  testCards: 'Cartões de teste',
  goBack: 'Cancelar e voltar',
  declined: 'Seu cartão foi recusado. Tente outro cartão.',
  insufficientFunds: 'Seu cartão não tem saldo suficiente. Tente outro cartão.',
  expiredCard: 'Seu cartão está vencido. Tente outro cartão.',
  incorrectNumber: 'O número do cartão está incorreto.',
  liveCard: 'Este não é um cartão de teste. Aqui só funcionam os cartões de teste abaixo.',
  cards: {
    succeeds: 'é aprovado',
    declines: 'é recusado',
    laterDeclines: 'é aprovado agora; os próximos pagamentos são recusados',
    laterActs: 'é aprovado agora; os próximos pagamentos exigem autenticação',
  },
  done: 'Tudo certo',
  alreadyPaid: 'Isto já foi pago. Você pode fechar esta página.',
  expired: 'Esta página expirou',
  expiredLong: 'Volte e comece de novo.',
  unknown: 'Não há nada aqui',
  unknownLong: 'O endereço está errado ou a página não existe mais.',
  manage: 'Gerenciar sua assinatura',
  returnTo: (merchant) => `Voltar para ${merchant}`,
  subscription: 'Assinatura',
  status: 'Situação',
  renewsOn: (date) => `Renova em ${date}.`,
  endsOn: (date) => `Termina em ${date}.`,
  noSubscription: 'Não há assinatura.',
  cancelPlan: 'Cancelar assinatura',
  cancelExplained: (date) => `Ela continua ativa até ${date} e não é renovada depois disso.`,
  cancelExplainedNow: 'Ela termina agora mesmo.',
  confirmCancel: 'Sim, cancelar',
  resumePlan: 'Não cancelar mais',
  paymentMethod: 'Forma de pagamento',
  cardEnding: (brand, last4) => `${brand} com final ${last4}`,
  noCard: 'Não há cartão.',
  changeCard: 'Usar outro cartão',
  saveCard: 'Salvar cartão',
  cardSaved: 'O cartão foi salvo.',
  canceled: 'A assinatura foi cancelada.',
  resumed: 'A assinatura continua.',
  paid: 'A fatura foi paga.',
  invoices: 'Faturas',
  invoice: 'Fatura',
  noInvoices: 'Ainda não há faturas.',
  date: 'Data',
  number: 'Número',
  pay: 'Pagar',
  paySaved: 'Pagar com o cartão salvo',
  statuses: {
    active: 'ativa',
    past_due: 'pagamento atrasado',
    unpaid: 'não paga',
    incomplete: 'ainda não paga',
    canceled: 'cancelada',
    incomplete_expired: 'expirada',
    draft: 'rascunho',
    open: 'em aberto',
    paid: 'paga',
    void: 'anulada',
    uncollectible: 'incobrável',
  },
}

export interface Language {
  tag: 'en' | 'pt-BR'
  words: Words
}

const ENGLISH_LANGUAGE: Language = { tag: 'en', words: ENGLISH }
const PORTUGUESE_LANGUAGE: Language = { tag: 'pt-BR', words: PORTUGUESE }

/** The session's own language where it has one, else the first that the browser asks for and we speak. */
export function languageOf(locale: string | null, acceptLanguage: string | undefined): Language {
  const wanted = locale === null || locale === 'auto' ? preferences(acceptLanguage ?? '') : [locale]
  const known = wanted.find((tag) => /^(en|pt)\b/i.test(tag))
  return known && /^pt/i.test(known) ? PORTUGUESE_LANGUAGE : ENGLISH_LANGUAGE
}

function preferences(header: string): string[] {
  return header
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/;\s*q=/)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
