import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subtitle: 'Lo que el hub envía a tus webhooks, con un ejemplo de cada evento.',
  list: 'Tipos de eventos',
  back: 'Todos los eventos',
  mode: 'payload_mode',
  format: 'delivery_format',
  body: 'Cuerpo',
  headers: 'Encabezados',
  notInMode: 'Un webhook con payload_mode {{mode}} no recibe este evento.',
  rawInstead: 'Lo que envió Meta llega allí como upstream.raw.',
  compatBody: 'En el formato compat este evento tiene un cuerpo propio.',
  sameBody: 'Los dos formatos tienen este cuerpo. Se diferencian en lo que se firma.',
  receivers: 'Webhooks que lo reciben',
  noReceivers: 'Ningún webhook activo recibe este evento.',
  newEndpoint: 'Nuevo webhook',
  receiversFailed: 'No se pudieron cargar los webhooks',
  everyChannel: 'todos los canales',
  someChannels_one: '{{count}} canal',
  someChannels_other: '{{count}} canales',
}
