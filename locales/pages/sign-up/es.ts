import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Termina de crear tu cuenta',
  intro: 'Tu cuenta y la organización {{organization}} se crearán cuando ingreses la contraseña.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  passwordHint: 'La que elegiste para esta cuenta',
  create: 'Crear la cuenta',
  wrongPassword: 'Esta no es la contraseña elegida. Si no pediste tú la cuenta, cierra esta página.',
  done: ['Tu cuenta está lista', 'Tu correo está verificado y ya iniciaste sesión.'],
  toDashboard: 'Abrir el panel',
  signUpAgain: 'Crear la cuenta de nuevo',
  signIn: 'Iniciar sesión',
  errors: {
    NOT_FOUND: [
      'Este enlace ya no funciona',
      'Se usó, venció o la dirección está incompleta. Si tienes una cuenta, inicia sesión.',
    ],
  },
}
