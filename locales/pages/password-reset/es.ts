import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  forgotTitle: '¿Olvidaste tu contraseña?',
  forgotText: 'Ingresa el correo de tu cuenta. Recibirás un enlace para definir una contraseña nueva.',
  noMail: 'Esta instalación no envía correos. Pide a quien la opera que ejecute este comando con tu correo:',
  email: 'Correo electrónico',
  send: 'Enviar el enlace',
  sent: [
    'Revisa tu correo',
    'Si este correo tiene una cuenta, te enviamos un enlace. Funciona una sola vez, durante una hora. Revisa también la carpeta de spam.',
  ],
  invalidEmail: 'Ingresa un correo completo, como ana@example.com.',
  resetTitle: 'Define una contraseña nueva',
  newPassword: 'Contraseña nueva',
  length: 'Al menos {{min}} caracteres',
  repeat: 'Repite la contraseña nueva',
  save: 'Guardar la contraseña',
  common: 'Esta contraseña está entre las primeras que prueban los atacantes. Elige otra, como una frase.',
  wrongLength: 'Elige una contraseña de {{min}} a {{max}} caracteres.',
  mismatch: 'Las dos contraseñas no coinciden. Escríbelas de nuevo.',
  done: [
    'Cambiaste tu contraseña',
    'Se cerraron todas tus sesiones. Inicia sesión con la contraseña nueva y, si la activaste, con la verificación en dos pasos.',
  ],
  signIn: 'Iniciar sesión',
  requestAnother: 'Pedir otro enlace',
  errors: {
    NOT_FOUND: ['Aquí no hay nada', 'Este enlace no existe. Comprueba que abriste la dirección completa.'],
    CONNECT_LINK_USED: ['Este enlace ya se usó', 'Funciona una sola vez. Si no lo usaste tú, pide otro ahora.'],
    CONNECT_LINK_EXPIRED: [
      'Este enlace ya no funciona',
      'Vale durante una hora, y solo hasta que se pida uno más nuevo o se cambie la contraseña.',
    ],
  },
}
