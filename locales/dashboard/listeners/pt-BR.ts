import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Terminais em escuta',
  text: 'Recebem eventos agora',
  allChannels: 'Todos os canais',
  channels_one: '{{count}} canal',
  channels_other: '{{count}} canais',
  unacknowledged_one: '{{count}} ainda não recebido',
  unacknowledged_other: '{{count}} ainda não recebidos',
  since: 'desde',
  listening_one: 'terminal em escuta',
  listening_other: 'terminais em escuta',
  alsoListening_one: '{{count}} terminal também recebe estes eventos, com hubline listen.',
  alsoListening_other: '{{count}} terminais também recebem estes eventos, com hubline listen.',
}
