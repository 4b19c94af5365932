import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Token del canal',
  text: 'Con él, tu código envía y lee por este número. No da acceso a ningún otro canal, y se mostró una sola vez, cuando se creó.',
  scopes: 'Permisos',
  scopesText: 'Qué puede hacer el token con este canal.',
  keep: 'Conservar los permisos que tiene el token',
  choose: 'Elegir los permisos',
  regenerate: 'Generar un token nuevo',
  regenerateTitle: '¿Generar un token nuevo para {{name}}?',
  regenerateText:
    'El token en uso deja de funcionar de inmediato. Todo programa que lo tenga será rechazado hasta recibir el nuevo.',
  revoke: 'Revocar el token',
  revokeTitle: '¿Revocar el token de {{name}}?',
  revokeText:
    'Los programas que lo usan serán rechazados de inmediato. No habrá token hasta que generes otro. Las claves de API y el número no se ven afectados.',
  revoked: 'Token revocado',
  revokeCard: 'Revocar',
  revokeCardText: 'Si el token se filtró y por ahora nada debe enviar por este número.',
  newTitle: 'Token nuevo de {{name}}',
  purpose: 'Reemplaza al token anterior, que se rechaza desde ahora.',
  none: 'Elige al menos un permiso.',
  'scope.channels:read': 'Ver el canal, su número, su cuenta y su perfil, y hacer su diagnóstico',
  'scope.messages:read': 'Leer el registro de mensajes y descargar archivos',
  'scope.templates:read': 'Ver las plantillas',
  'scope.messages:send': 'Enviar mensajes',
  'scope.media:write': 'Subir y eliminar archivos',
  'scope.profile:write': 'Cambiar el perfil comercial',
  'scope.templates:write': 'Crear, cambiar y eliminar plantillas',
  'scope.calls:write': 'Terminar llamadas',
  'scope.number:write': 'Bloquear personas y cambiar los códigos QR, el nombre de usuario y los ajustes del número',
}
