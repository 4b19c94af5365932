import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  notFound: 'Esta página não existe',
  notFoundText: 'O endereço pode estar errado, ou o que ele mostrava foi excluído.',
  overview: 'Visão geral',
  failed: 'Não foi possível mostrar a página',
}
