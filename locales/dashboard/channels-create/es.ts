import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Nuevo canal',
  text: 'Empieza sin número. Quien tiene el número lo conecta con un enlace.',
  compat: 'Webhook de compatibilidad',
  compatHint: 'Opcional. Recibe los cuerpos originales con firmas compat, solo de este canal.',
  create: 'Crear canal',
  created: 'Canal creado: {{name}}',
  externalId: 'external_id',
  externalIdHint: 'Opcional. El id de este cliente en tu propio sistema.',
  forServer: 'Para tu servidor',
  linkFailed: 'No se pudo crear el enlace de conexión. Crea uno en la página del canal.',
  name: 'Nombre',
  nameHint: 'Lo ve quien conecta el número.',
  secret: 'Secreto del webhook',
  secretPurpose: 'Con él, tu servidor verifica la firma de cada entrega.',
  token: 'Token del canal',
  tokenPurpose: 'Tu código lo usa para enviar por este número. No da acceso a ningún otro canal.',
}
