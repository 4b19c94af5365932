import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Enlace de conexión',
  badge: 'Público, funciona una sola vez',
  text: 'Envíalo a quien tiene el número. No hace falta una cuenta de Hubline.',
  copy: 'Copiar el enlace',
  email: 'Correo',
  ended: 'Vencido o reemplazado.',
  endedText: 'Crea un enlace nuevo abajo.',
  expiresIn: 'vence en',
  message: 'Mensaje para enviar con él',
  open: 'Sin usar.',
  openText: 'Esta línea cambia sola cuando se conecta el número.',
  preview: 'Ver la página',
  qr: 'El enlace de conexión como código para la cámara',
  subject: 'Conecta tu número de WhatsApp',
  used: 'Usado.',
  usedText: 'El número está conectado.',
  whatsapp: 'WhatsApp',
  next: 'Qué sigue',
  stepLink: 'Enlace creado',
  stepLinkText: 'Envíalo a quien tiene el número',
  stepNumber: 'Número conectado',
  stepNumberText: 'Con Facebook y un código',
  stepEvents: 'Llegan los eventos',
  stepEventsText: 'Se envía channel.connected',
}
