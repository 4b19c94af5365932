import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Erros por código e canal',
  code: 'Código',
  meaning: 'Significado e canal',
  shape: 'No tempo',
  count: 'Total',
  last: 'Último',
  all_one: 'Ver {{count}}',
  all_other: 'Ver todas as {{count}}',
  none: 'Nenhuma falha no período',
  noneText: 'Os erros da Meta são agrupados aqui, para que uma rajada não pareça um gotejo.',
  noCode: 'Falhou sem código',
  unknownCode: 'Erro da Meta',
  deletedChannel: 'Um canal excluído',
  showAll_one: 'Mostrar mais {{count}}',
  showAll_other: 'Mostrar mais {{count}}',
}
