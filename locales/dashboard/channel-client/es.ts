import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Conectar un cliente existente',
  text: 'El software escrito para la Cloud API de Meta funciona con este canal sin cambios. Configura esta dirección en lugar de https://graph.facebook.com, estos ids y el token del canal.',
  address: 'Dirección',
  copyAddress: 'Copiar la dirección',
  tokenLink: 'Ir al token del canal',
  receive:
    'Para que reciba mensajes, crea un webhook con su dirección en el modo upstream_raw. El secreto del webhook reemplaza al secreto de la aplicación.',
  notConnected:
    'Los ids se conocen cuando hay un número conectado. Hasta entonces, la dirección no atiende a ningún cliente.',
  scopes: 'Qué permite cada permiso del token',
  byName: 'Solo si lo eliges.',
}
