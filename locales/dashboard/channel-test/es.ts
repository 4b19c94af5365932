import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  message: 'Mensaje',
  recipient: 'Destinatario',
  recipientHint:
    'Un teléfono con el código de país, como +55 11 98765-4321, o un id de usuario. Tu propio celular sirve.',
  recipientSandbox:
    'Un teléfono con el código de país, o un id de usuario. En el sandbox cada número es un celular simulado, como {{number}} de {{name}}; el simulador muestra lo que recibe.',
  recipientWrong: 'Ingresa un número con el código de país, de 8 a 15 dígitos, o un id de usuario como BR.1349120865.',
  kind: 'Tipo de mensaje',
  'kind.text': 'Texto',
  'kind.template': 'Plantilla',
  text: 'Texto',
  template: 'Plantilla',
  chooseTemplate: 'Elige una plantilla',
  noTemplates: 'Esta cuenta todavía no tiene plantillas aprobadas.',
  templatesFailed: 'No se pudieron cargar las plantillas',
  mediaLink: 'Dirección https del archivo',
  windowOpen: 'La persona escribió hace {{time}}: puedes enviar cualquier texto hasta {{until}}.',
  windowClosed: 'Esta persona no escribió en las últimas 24 horas.',
  windowClosedText:
    'WhatsApp entrega texto libre solo dentro de las 24 horas después de que la persona escribió. Una plantilla funciona siempre.',
  windowRule:
    'El texto libre se entrega solo dentro de las 24 horas después de que la persona escribió. Una plantilla funciona siempre.',
  useTemplate: 'Usar una plantilla',
  key: 'Idempotency-Key',
  keyText: 'La misma clave nunca envía dos veces. El próximo mensaje usa una nueva.',
  send: 'Enviar mensaje',
  again: 'Escribir otro mensaje',
  notConnected: 'El canal todavía no tiene número, así que no puede enviar.',
  request: 'Solicitud',
  response: 'Respuesta',
  waiting: 'La respuesta aparece aquí.',
  progress: 'En camino',
  unknown: 'No se sabe si el mensaje se envió.',
  unknownText: 'Búscalo en el registro de mensajes. No lo envíes de nuevo con otra clave.',
  check: 'Comprobar',
  openLog: 'Abrir en el registro',
  preview: 'Vista previa',
  previewEmpty: 'Tu mensaje',
  business: 'Cuenta de empresa',
  button: 'Botón {{number}}: final de la dirección',
  coupon: 'Botón {{number}}: código para copiar',
  'place.header': 'Encabezado',
  'place.body': 'Cuerpo',
}
