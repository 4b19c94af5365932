import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Acepta la invitación',
  intro: 'Te invitaron a unirte a {{organization}} con el rol {{role}}.',
  email: 'Correo electrónico',
  name: 'Tu nombre',
  nameHint: 'Si ya tienes una cuenta, conserva su nombre',
  password: 'Contraseña',
  passwordHint: 'Si tienes una cuenta con este correo, su contraseña. Si no, elige una de al menos {{min}} caracteres.',
  code: 'Código de tu aplicación de autenticación',
  codeHint: 'O uno de tus códigos de recuperación',
  join: 'Unirme',
  problems: {
    nameRequired: 'Ingresa tu nombre, de hasta 100 caracteres, y la contraseña de nuevo.',
    common: 'Esta contraseña está entre las primeras que prueban los atacantes. Elige otra, como una frase.',
    wrongLength: 'La contraseña tiene de {{min}} a {{max}} caracteres. Escríbela de nuevo.',
    wrongPassword: 'Esta no es la contraseña de tu cuenta. Escríbela de nuevo.',
    codeRequired: 'Tu cuenta tiene verificación en dos pasos. Ingresa la contraseña de nuevo y un código.',
    wrongCode: 'El código no es correcto. Ingresa la contraseña de nuevo y el código actual.',
  },
  forgot: '¿Olvidaste tu contraseña?',
  joined: ['Ya eres miembro de {{organization}}', 'Ya iniciaste sesión.'],
  toDashboard: 'Abrir el panel',
  errors: {
    NOT_FOUND: [
      'Esta invitación ya no funciona',
      'Se usó o se revocó, venció o la dirección está incompleta. Pide una nueva.',
    ],
  },
}
