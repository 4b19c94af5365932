import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Terminales a la escucha',
  text: 'Reciben eventos en este momento',
  allChannels: 'Todos los canales',
  channels_one: '{{count}} canal',
  channels_other: '{{count}} canales',
  unacknowledged_one: '{{count}} sin recibir todavía',
  unacknowledged_other: '{{count}} sin recibir todavía',
  since: 'desde',
  listening_one: 'terminal a la escucha',
  listening_other: 'terminales a la escucha',
  alsoListening_one: '{{count}} terminal también recibe estos eventos, con hubline listen.',
  alsoListening_other: '{{count}} terminales también reciben estos eventos, con hubline listen.',
}
