import { defineTexts } from '../../lib/texts.ts'

export const useDevelopersTexts = defineTexts(
  'developers',
  {
    title: 'Developer tools',
    tabs: 'Parts of this page',
    requests: 'Request log',
    events: 'Events',
    reference: 'API reference',
    tools: 'SDK and CLI',
    status: 'Status',
  },
  {
    title: 'Ferramentas',
    tabs: 'Partes desta página',
    requests: 'Requisições',
    events: 'Eventos',
    reference: 'Referência da API',
    tools: 'SDK e CLI',
    status: 'Status',
  },
)
