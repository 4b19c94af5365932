import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  notFound: 'Esta página não existe',
  notFoundText: 'O endereço pode estar errado, ou o que ele mostrava foi excluído.',
  overview: 'Visão geral',
  codeFailed: 'Não foi possível carregar esta página',
  codeFailedText: 'O hub não respondeu ou tem uma nova versão. As outras páginas continuam como estão.',
  tryAgain: 'Tentar de novo',
  reload: 'Recarregar o painel',
  failed: 'Não foi possível mostrar a página',
}
