import type { ErrorCode } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/pages/language.ts'
import type { Plan } from '../plans/plans.ts'

type Notice = readonly [title: string, text: string]
type Translation = {
  plans: Record<Plan, string>
  planTitle: string
  from: string
  to: string
  addons: string
  dueNow: string
  creditedNow: string
  prorated: string
  confirm: string
  confirmAndPay: (amount: string) => string
  done: Notice
  unpaid: Notice
  pay: string
  back: Notice
  toUsage: string
  reload: string
  reference: string
  trouble: Notice
  errors: Partial<Record<ErrorCode, Notice>>
}

export const TRANSLATIONS: Record<Language, Translation> = {
  en: {
    plans: { free: 'Free', starter: 'Starter', pro: 'Pro' },
    planTitle: 'Change your plan',
    from: 'Your plan now',
    to: 'Your new plan',
    addons: 'Additional connections, which you keep',
    dueNow: 'Charged now',
    creditedNow: 'Credited now',
    prorated:
      'In proportion to what is left of your billing period. From the next one on you pay the whole price of the new plan.',
    confirm: 'Change the plan',
    confirmAndPay: (amount) => `Change the plan and pay ${amount}`,
    done: ['Your plan was changed', 'It is in effect now.'],
    unpaid: [
      'The payment did not go through',
      'Your plan stays as it was until the invoice is paid. Pay it below, or change your card in the billing portal.',
    ],
    pay: 'Pay the invoice',
    back: [
      'You are back from the payment provider',
      'What you paid, changed or canceled there takes effect as soon as the provider confirms it, usually within seconds.',
    ],
    toUsage: 'Back to usage and billing',
    reload: 'Look at the change again',
    reference: 'Reference',
    trouble: ['That did not work', 'Nothing was changed. Wait a moment and try again.'],
    errors: {
      NOT_FOUND: ['Nothing here', 'There is no such link. Check the address, or ask for a new link.'],
      CONNECT_LINK_USED: ['This link no longer works', 'It works once and for a short time. Ask for a new one.'],
      CHECKOUT_NOT_ALLOWED: ['This change is not possible now', 'The reason is below.'],
      BILLING_OFF: ['Nothing to pay', 'Billing is off on this installation.'],
      INVALID_REQUEST: ['The amount has to be worked out again', 'It was shown to you too long ago.'],
      OPERATION_IN_PROGRESS: ['Just a moment', 'Another change is in progress. Try again.'],
      UPSTREAM_UNAVAILABLE: ['The payment provider does not respond', 'Wait a moment and try again.'],
    },
  },
  'pt-BR': {
    plans: { free: 'Gratuito', starter: 'Starter', pro: 'Pro' },
    planTitle: 'Mude de plano',
    from: 'Seu plano hoje',
    to: 'Seu novo plano',
    addons: 'Conexões adicionais, que você mantém',
    dueNow: 'Cobrado agora',
    creditedNow: 'Creditado agora',
    prorated:
      'Proporcional ao que resta do seu período de cobrança. A partir do próximo, vale o preço inteiro do novo plano.',
    confirm: 'Mudar de plano',
    confirmAndPay: (amount) => `Mudar de plano e pagar ${amount}`,
    done: ['Seu plano foi alterado', 'Ele já está valendo.'],
    unpaid: [
      'O pagamento não foi concluído',
      'Seu plano continua como estava até a fatura ser paga. Pague-a abaixo ou troque o cartão no portal de cobrança.',
    ],
    pay: 'Pagar a fatura',
    back: [
      'Você voltou do provedor de pagamento',
      'O que você pagou, mudou ou cancelou lá vale assim que o provedor confirmar, em geral em segundos.',
    ],
    toUsage: 'Voltar a uso e cobrança',
    reload: 'Ver a mudança de novo',
    reference: 'Referência',
    trouble: ['Não deu certo', 'Nada foi alterado. Espere um momento e tente de novo.'],
    errors: {
      NOT_FOUND: ['Nada aqui', 'Este link não existe. Confira o endereço ou peça um novo link.'],
      CONNECT_LINK_USED: ['Este link já não vale', 'Ele funciona uma única vez e por pouco tempo. Peça um novo.'],
      CHECKOUT_NOT_ALLOWED: ['Esta mudança não é possível agora', 'O motivo está abaixo.'],
      BILLING_OFF: ['Nada a pagar', 'A cobrança está desligada nesta instalação.'],
      INVALID_REQUEST: ['O valor precisa ser calculado de novo', 'Ele foi mostrado há muito tempo.'],
      OPERATION_IN_PROGRESS: ['Só um momento', 'Outra mudança está em andamento. Tente de novo.'],
      UPSTREAM_UNAVAILABLE: ['O provedor de pagamentos não respondeu', 'Espere um momento e tente de novo.'],
    },
  },
}
