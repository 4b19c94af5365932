import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  planTitle: 'Mude de plano',
  from: 'Seu plano hoje',
  to: 'Seu novo plano',
  addons: 'Conexões adicionais, que você mantém',
  dueNow: 'Cobrado agora',
  creditedNow: 'Creditado agora',
  channels: 'Canais',
  channelsOf: '{{used}} em uso, limite de {{limit}}',
  afterward: 'Depois',
  prorated:
    'Proporcional ao que resta do seu período de cobrança. A partir do próximo, vale o preço inteiro do novo plano.',
  confirm: 'Mudar de plano',
  confirmAndPay: 'Mudar de plano e pagar {{amount}}',
  done: ['Seu plano foi alterado', 'Ele já está valendo.'],
  unpaid: [
    'O pagamento não foi concluído',
    'Seu plano continua como estava até a fatura ser paga. Pague-a abaixo ou troque o cartão no portal de pagamento.',
  ],
  pay: 'Pagar a fatura',
  back: [
    'Você voltou do provedor de pagamento',
    'O que você pagou, mudou ou cancelou lá vale assim que o provedor confirmar, em geral em segundos.',
  ],
  bought: ['Agora você tem o plano {{plan}}', 'Ele passa a valer em segundos.'],
  canceled: ['Nada foi cobrado', 'Você saiu antes de pagar. Seu plano continua como está.'],
  paid: 'Pagamento de {{amount}} recebido.',
  credited: '{{amount}} foram creditados.',
  limits: 'O plano {{plan}} comporta {{channels}} canais e {{webhookEndpoints}} endpoints de webhook.',
  toUsage: 'Voltar a uso e cobrança',
  reload: 'Ver a mudança de novo',
  errors: {
    NOT_FOUND: ['Nada aqui', 'Este link não existe. Confira o endereço ou peça um novo link.'],
    CONNECT_LINK_USED: ['Este link não vale mais', 'Ele funciona uma única vez e por pouco tempo. Peça um novo.'],
    CHECKOUT_NOT_ALLOWED: ['Esta mudança não é possível agora', 'O motivo está abaixo.'],
    BILLING_OFF: ['Nada a pagar', 'A cobrança está desativada nesta instalação.'],
    INVALID_REQUEST: ['O valor precisa ser calculado de novo', 'Ele foi mostrado há muito tempo.'],
    OPERATION_IN_PROGRESS: ['Só um momento', 'Outra mudança está em andamento. Tente de novo.'],
    UPSTREAM_UNAVAILABLE: ['O provedor de pagamento não respondeu', 'Espere um momento e tente de novo.'],
  },
}
