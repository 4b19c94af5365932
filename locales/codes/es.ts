import type { Catalog } from '../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  ADDON_NOT_ALLOWED: 'Esta cantidad de conexiones adicionales no es posible ahora.',
  BILLING_OFF: 'El cobro está desactivado en esta instalación: no hay límites ni nada que contratar.',
  CHANNEL_NOT_CONNECTED: 'El canal no está conectado. Conéctalo con un enlace nuevo.',
  CHECKOUT_NOT_ALLOWED: 'Este plan no se puede elegir ahora.',
  CONFLICT: 'Esto no es posible en la situación actual.',
  CONNECT_LINK_EXPIRED: 'Este enlace venció. Pide otro.',
  CONNECT_LINK_USED: 'Este enlace ya se usó. Pide otro.',
  HEADERS_TOO_LARGE:
    'La dirección o las cookies de la solicitud son demasiado largas. Quita algunos filtros e intenta de nuevo.',
  IDEMPOTENCY_KEY_REUSED: 'La misma clave se usó en otra solicitud. Vuelve a cargar la página y repite la acción.',
  INSUFFICIENT_SCOPE: 'Tu rol no permite esto.',
  INTERNAL_ERROR: 'El hub tuvo una falla. Intenta de nuevo; si continúa, envía el id de la solicitud a soporte.',
  INVALID_MEDIA: 'WhatsApp no acepta archivos de este tipo.',
  INVALID_REQUEST: 'El hub no acepta estos datos.',
  INVALID_TEMPLATE_ID: 'El id de una plantilla solo tiene dígitos.',
  INVALID_WEBHOOK: 'Elige todos los canales, o al menos uno.',
  MEDIA_TOO_LARGE: 'El archivo es más grande de lo que WhatsApp permite para su tipo.',
  NOT_FOUND: 'No existe, o ya no existe.',
  NOT_READY: 'El hub se está iniciando o deteniendo, o está en espera. Intenta de nuevo más tarde.',
  NUMBER_ALREADY_CONNECTED: 'Este número ya está conectado a otro canal.',
  OPERATION_IN_PROGRESS: 'Esto ya está en curso. Espera a que termine.',
  ORIGIN_NOT_ALLOWED: 'El panel se abrió en una dirección que no es la de este hub. Ábrelo en su propia dirección.',
  OVERLOADED: 'El hub está sobrecargado. Intenta de nuevo en un momento.',
  PAYLOAD_TOO_LARGE: 'Esto es más de lo que el hub acepta de una vez.',
  QUOTA_EXCEEDED: 'Se alcanzó el límite.',
  RANGE_NOT_SATISFIABLE: 'El archivo es más corto que la parte que se pidió.',
  RATE_LIMITED: 'Demasiadas solicitudes. Espera un momento e intenta de nuevo.',
  REQUEST_TIMEOUT: 'La solicitud tardó demasiado. Revisa la conexión e intenta de nuevo.',
  SEND_RESULT_UNKNOWN:
    'No se sabe si el mensaje se envió. Búscalo en el registro de mensajes antes de enviarlo de nuevo.',
  SUBSCRIPTION_SUSPENDED:
    'La suscripción está suspendida: paga la factura pendiente para volver a enviar mensajes y crear canales.',
  TWO_FACTOR_REQUIRED:
    'La organización exige la verificación en dos pasos. Actívala en tu cuenta, o cambia de organización.',
  TEMPLATE_NOT_SENDABLE:
    'WhatsApp pausó, desactivó o rechazó esta plantilla. Envía otra, o espera a que se apruebe de nuevo.',
  UNAUTHORIZED: 'La sesión terminó. Inicia sesión de nuevo.',
  UNSUPPORTED_MEDIA_TYPE: 'El hub no acepta este tipo de contenido aquí.',
  UPSTREAM_REJECTED: 'WhatsApp rechazó la solicitud.',
  UPSTREAM_UNAVAILABLE: 'El servicio detrás del hub no responde. Intenta de nuevo en un momento.',
  WEBHOOK_URL_NOT_ALLOWED: 'El hub no entrega en esta dirección.',
}
