import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  auditOf: 'Registro de auditoría de este id',
  channels: 'Canales',
  deliveryOf: 'Entrega con este id',
  deliveryOfEvent: 'Entrega de este evento',
  diagnose: 'Hacer diagnóstico',
  doWith: 'Acciones de {{name}}',
  in: 'en {{name}}',
  jump: 'Ir a',
  looking: 'Buscando este id',
  messageOf: 'Mensaje con este id',
  messagesOf: 'Mensajes de esta persona',
  move: 'mover',
  newLink: 'Nuevo enlace de conexión',
  newLinkHint: 'reemplaza a los anteriores',
  nothing: 'Sin resultados para “{{query}}”.',
  open: 'abrir',
  pages: 'Páginas',
  paste: 'Pega un id, wamid o id de solicitud para ir directo',
  placeholder: 'Buscar o ir a',
  requestOf: 'Solicitud con este id',
  sendTest: 'Enviar un mensaje de prueba',
  title: 'Buscar o ir a',
}
