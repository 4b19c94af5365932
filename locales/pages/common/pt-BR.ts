import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  errors: {
    RATE_LIMITED: ['Tentativas demais', 'Espere um pouco e tente de novo.'],
    ORIGIN_NOT_ALLOWED: [
      'Abra a página de novo',
      'O formulário não veio desta página. Abra-a novamente e tente de novo.',
    ],
  },
  trouble: ['Não deu certo', 'Nada foi alterado. Espere um momento e tente de novo.'],
  reference: 'Referência',
}
