import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  link: 'Enlace de conexión',
  linkText:
    'Un enlace funciona una sola vez. Quien lo abre no necesita una cuenta aquí, solo el número y su acceso a Facebook.',
  linkAgain: 'Un enlace puede reconectar este canal. El número debe ser el mismo, salvo que se haya desconectado.',
  linkOnce: 'El enlace se muestra cuando se crea y no se puede volver a mostrar.',
  create: 'Crear un enlace',
  createAgain: 'Crear un enlace nuevo',
  endsOlder: 'Los enlaces anteriores de este canal dejan de funcionar.',
  links: 'Enlaces de este canal',
  linksFailed: 'No se pudieron cargar los enlaces',
  noLinks: 'Todavía no hay enlaces.',
  madeBy: 'Creado por {{name}}',
  madeByUnknown: 'Sin registro de quién lo creó',
  expires: 'vence',
  'linkState.open': 'abierto',
  'linkState.in_use': 'en uso',
  'linkState.used': 'usado',
  'linkState.expired': 'vencido',
  'linkState.replaced': 'reemplazado',
  simulated: 'Número simulado',
  simulatedText: 'Este hub usa un simulador. Conecta el canal a un número simulado ahora mismo, sin enlace.',
  simulate: 'Conectar un número simulado',
  own: 'Conectar con un token propio',
  ownText:
    'Para un número del que ya tienes un token de acceso, por ejemplo de un usuario del sistema. No hace falta la página.',
  token: 'Token de acceso',
  tokenHint:
    'Necesita whatsapp_business_management y whatsapp_business_messaging. Se guarda cifrado y nunca se muestra.',
  waba: 'waba_id',
  wabaHint: 'La cuenta de WhatsApp Business, solo dígitos.',
  numberId: 'phone_number_id',
  numberIdHint: 'El id del número en esa cuenta, solo dígitos.',
  coexistence: 'El número sigue en la app WhatsApp Business',
  coexistenceHint: 'En ese caso no se registra de nuevo y no necesita PIN.',
  pin: 'PIN',
  pinHint:
    'Seis dígitos. Si el número tiene verificación en dos pasos, su PIN; si no la tiene, el que tendrá. No se guarda.',
  pinNeeded: 'Este número necesita su PIN para registrarse.',
  connect: 'Conectar',
  connected: 'El número está conectado',
}
