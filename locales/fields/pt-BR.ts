import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  required: 'Preencha este campo.',
  not_url: 'Informe uma URL completa.',
  not_one_line: 'Escreva em uma linha, sem caracteres invisíveis.',
  not_email: 'Informe um e-mail completo, como ana@example.com.',
  not_in_future: 'Escolha uma data futura.',
  too_short_one: 'Use pelo menos {{count}} caractere.',
  too_short_other: 'Use pelo menos {{count}} caracteres.',
  too_long_one: 'Use no máximo {{count}} caractere.',
  too_long_other: 'Use no máximo {{count}} caracteres.',
  too_small: 'Informe {{minimum}} ou mais.',
  too_large: 'Informe {{maximum}} ou menos.',
}
