import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Errores por código y canal',
  code: 'Código',
  meaning: 'Significado y canal',
  shape: 'En el tiempo',
  count: 'Total',
  last: 'Último',
  all_one: 'Ver {{count}}',
  all_other: 'Ver los {{count}}',
  none: 'Ningún mensaje falló en este período',
  noneText: 'Aquí se agrupan los errores de WhatsApp, para distinguir una ráfaga de un goteo.',
  noCode: 'Falló sin código',
  unknownCode: 'Error de WhatsApp',
  deletedChannel: 'Un canal eliminado',
  showAll_one: 'Mostrar {{count}} más',
  showAll_other: 'Mostrar {{count}} más',
}
