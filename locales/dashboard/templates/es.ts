import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Plantillas',
  subtitle: 'Mensajes que pueden abrir una conversación. Meta revisa cada uno, en cada idioma.',
  create: 'Nueva plantilla',
  channel: 'Canal',
  category: 'Categoría',
  languages: 'Idiomas',
  name: 'Nombre',
  status: 'Estado',
  quality: 'Calidad',
  reason: 'Motivo',
  search: 'Nombre de una plantilla',
  failed: 'No se pudieron cargar las plantillas',
  noMatch: 'Ninguna plantilla tiene este nombre',
  empty: 'Esta cuenta todavía no tiene plantillas',
  emptyText: 'Después de 24 horas sin un mensaje del cliente, solo puedes enviar una plantilla.',
  noChannel: 'No hay canales conectados',
  noChannelText: 'Las plantillas son de la cuenta de un número. Primero conecta un canal.',
  channels: 'Canales',
  rejected: 'Rechazada: {{reason}}',
  preview: 'Vista previa',
  previewNote: 'Solo una vista previa. No se envía nada.',
  business: 'Cuenta de empresa',
  delete: 'Eliminar {{language}}',
  deleteAll: 'Eliminar todos los idiomas',
  deleteTitle: '¿Eliminar {{name}} en {{language}}?',
  deleteAllTitle: '¿Eliminar {{name}} en todos los idiomas?',
  deleteText:
    'El nombre de una plantilla aprobada no se puede volver a usar durante 30 días. Los envíos que la usen fallan de inmediato.',
  deleteAction: 'Eliminar',
  deleted: 'Plantilla eliminada',
  sendTest: 'Enviar una prueba',
  edit: 'Editar y reenviar',
  notEditable:
    'Esta plantilla tiene una parte que el formulario no conoce, como un carrusel o variables con nombre. Edítala por la API.',
  call: 'Llamada que la envía',
  copyCode: 'Copiar código',
  codeText: '{{code}} es tu código de verificación.',
  codeWarning: 'Por tu seguridad, no compartas este código.',
  codeExpires_one: 'Este código vence en {{count}} minuto.',
  codeExpires_other: 'Este código vence en {{count}} minutos.',
  'rejection.ABUSIVE_CONTENT': 'El texto se consideró amenazante u ofensivo. Escríbelo con palabras neutras.',
  'rejection.INVALID_FORMAT':
    'Las variables, los enlaces o los caracteres no tienen la forma correcta. Revisa las llaves y pon palabras alrededor de cada variable.',
  'rejection.PROMOTIONAL': 'El texto anuncia algo. Quita la oferta o elige la categoría MARKETING.',
  'rejection.TAG_CONTENT_MISMATCH':
    'El texto no corresponde al idioma o a la categoría. Elige aquellos para los que está escrito.',
  'rejection.INCORRECT_CATEGORY':
    'Meta ve el texto en otra categoría. Elige esa categoría o quita lo que le corresponde.',
  'rejection.SCAM':
    'El texto se consideró engañoso. Di quién eres y no pidas números de tarjeta, contraseñas ni documentos.',
  media: '{{format}} del encabezado',
}
