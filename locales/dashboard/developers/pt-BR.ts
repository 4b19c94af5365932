import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Ferramentas',
  tabs: 'Partes desta página',
  requests: 'Requisições',
  events: 'Eventos',
  reference: 'Referência da API',
  tools: 'SDK e CLI',
  status: 'Status',
}
