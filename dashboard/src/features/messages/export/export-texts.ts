import { defineTexts } from '../../../lib/texts.ts'

export const useExportTexts = defineTexts(
  'messages-export',
  {
    title: 'Export messages',
    text: 'The messages that the filters let through, newest first. The export is written to the audit log.',
    format: 'Format',
    content: 'With the content of the messages',
    contentHint: 'A reader of the file can read what people wrote.',
    start: 'Start the export',
    stop: 'Stop',
  },
  {
    title: 'Exportar mensagens',
    text: 'As mensagens que passam pelos filtros, da mais recente à mais antiga. A exportação fica no registro de auditoria.',
    format: 'Formato',
    content: 'Com o conteúdo das mensagens',
    contentHint: 'Quem tiver o arquivo pode ler o que as pessoas escreveram.',
    start: 'Iniciar a exportação',
    stop: 'Interromper',
  },
)
