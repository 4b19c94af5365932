import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  needsScope: 'requer {{scope}}',
  needsRole: 'requer o papel {{role}}',
  suspended: 'suspenso até o pagamento da fatura em aberto',
}
