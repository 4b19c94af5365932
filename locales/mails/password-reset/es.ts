import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subject: 'Define una contraseña nueva de Hubline',
  text: `Alguien, probablemente tú, pidió una contraseña nueva para la cuenta de Hubline de este correo.

Para definirla, abre este enlace. Funciona una sola vez, durante una hora:

{{url}}

Si no fuiste tú, ignora este mensaje: tu contraseña sigue siendo la misma.
`,
}
