import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  planTitle: 'Cambia de plan',
  from: 'Tu plan actual',
  to: 'Tu plan nuevo',
  addons: 'Conexiones adicionales, que conservas',
  dueNow: 'Se cobra ahora',
  creditedNow: 'Se acredita ahora',
  channels: 'Canales',
  channelsOf: '{{used}} en uso, límite de {{limit}}',
  afterward: 'Después',
  prorated:
    'En proporción a lo que queda de tu período de facturación. Desde el próximo pagas el precio completo del plan nuevo.',
  confirm: 'Cambiar de plan',
  confirmAndPay: 'Cambiar de plan y pagar {{amount}}',
  done: ['Cambiaste de plan', 'Ya está en vigor.'],
  unpaid: [
    'El pago no se completó',
    'Tu plan sigue como estaba hasta que se pague la factura. Págala abajo o cambia tu tarjeta en el portal de pagos.',
  ],
  pay: 'Pagar la factura',
  back: [
    'Volviste del proveedor de pagos',
    'Lo que pagaste, cambiaste o cancelaste allí se aplica en cuanto el proveedor lo confirma, por lo general en segundos.',
  ],
  bought: ['Ahora tienes el plan {{plan}}', 'Entra en vigor en segundos.'],
  canceled: ['No se cobró nada', 'Saliste antes de pagar. Tu plan sigue como está.'],
  paid: 'Se pagaron {{amount}}.',
  credited: 'Se acreditaron {{amount}}.',
  limits: 'El plan {{plan}} admite {{channels}} canales y {{webhookEndpoints}} webhooks.',
  toUsage: 'Volver a uso y facturación',
  reload: 'Ver el cambio de nuevo',
  errors: {
    NOT_FOUND: ['Aquí no hay nada', 'Este enlace no existe. Revisa la dirección o pide un enlace nuevo.'],
    CONNECT_LINK_USED: ['Este enlace ya no funciona', 'Funciona una sola vez y por poco tiempo. Pide uno nuevo.'],
    CHECKOUT_NOT_ALLOWED: ['Este cambio no es posible ahora', 'El motivo está abajo.'],
    BILLING_OFF: ['Nada que pagar', 'La facturación está desactivada en esta instalación.'],
    INVALID_REQUEST: ['Hay que calcular el monto de nuevo', 'Se mostró hace demasiado tiempo.'],
    OPERATION_IN_PROGRESS: ['Un momento', 'Hay otro cambio en curso. Inténtalo de nuevo.'],
    UPSTREAM_UNAVAILABLE: ['El proveedor de pagos no responde', 'Espera un momento e inténtalo de nuevo.'],
  },
}
