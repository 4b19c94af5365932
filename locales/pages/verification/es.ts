import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Verifica tu correo',
  intro: 'Ingresa la contraseña de tu cuenta para confirmar que este correo es tuyo.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  verify: 'Verificar el correo',
  wrongPassword: 'Esta no es la contraseña de la cuenta. Escríbela de nuevo.',
  notMine: '¿No creaste esta cuenta? Define una contraseña nueva y será tuya',
  done: ['Verificaste tu correo', 'Ya puedes activar la verificación en dos pasos en tu cuenta.'],
  toDashboard: 'Abrir el panel',
  errors: {
    NOT_FOUND: [
      'Este enlace ya no funciona',
      'Se usó, venció, lo reemplazó uno más nuevo o la dirección está incompleta. Pide uno nuevo en tu cuenta.',
    ],
  },
}
