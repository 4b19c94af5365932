import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  text: '¡Hola! Para conectar el WhatsApp de {{name}} a nuestro sistema, abre el enlace de abajo en una computadora o un celular. Ten a mano tu acceso a Facebook y el teléfono del número. El enlace vale hasta el {{day}} a las {{clock}} y funciona una sola vez.',
}
