import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Exportar mensagens',
  text: 'As mensagens que passam pelos filtros, da mais recente à mais antiga. A exportação fica no registro de auditoria.',
  format: 'Formato',
  content: 'Com o conteúdo das mensagens',
  contentHint: 'Quem tiver o arquivo pode ler o que as pessoas escreveram.',
  start: 'Iniciar a exportação',
  stop: 'Interromper',
}
