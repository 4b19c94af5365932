import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  finish: {
    subject: 'Termina de crear tu cuenta de Hubline',
    text: `Alguien, probablemente tú, está creando una cuenta de Hubline con este correo.

Para terminar, abre este enlace e ingresa la contraseña que elegiste. Funciona una sola vez, durante 24 horas:

{{url}}

Si no fuiste tú, ignora este mensaje: sin ti no se crea ninguna cuenta.
`,
  },
  known: {
    subject: 'Ya tienes una cuenta de Hubline',
    text: `Alguien, probablemente tú, intentó crear una cuenta de Hubline con este correo. Ya tiene una, y no se cambió nada.

Inicia sesión aquí:

{{signInUrl}}

Si olvidaste la contraseña, define una nueva aquí:

{{forgotUrl}}

Si no fuiste tú, ignora este mensaje.
`,
  },
}
