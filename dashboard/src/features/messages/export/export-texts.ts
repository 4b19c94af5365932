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
    running: 'The file is being loaded. Keep this page open.',
    progress_one: '{{count}} line · {{size}}',
    progress_other: '{{count}} lines · {{size}}',
    done: 'The file is complete.',
  },
  {
    title: 'Exportar mensagens',
    text: 'As mensagens que passam pelos filtros, da mais recente à mais antiga. A exportação fica no registro de auditoria.',
    format: 'Formato',
    content: 'Com o conteúdo das mensagens',
    contentHint: 'Quem tiver o arquivo pode ler o que as pessoas escreveram.',
    start: 'Iniciar a exportação',
    stop: 'Interromper',
    running: 'O arquivo está sendo carregado. Mantenha esta página aberta.',
    progress_one: '{{count}} linha · {{size}}',
    progress_other: '{{count}} linhas · {{size}}',
    done: 'O arquivo está completo.',
  },
)
