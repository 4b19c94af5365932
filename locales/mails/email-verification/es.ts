import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subject: 'Verifica tu correo de Hubline',
  text: `Para verificar el correo de tu cuenta de Hubline, ingresa este código en el panel:

{{code}}

O abre este enlace e ingresa tu contraseña:

{{url}}

Los dos funcionan una sola vez, durante 24 horas.

Si no lo pediste, no compartas el código. Si otra persona creó una cuenta con tu correo, define una contraseña nueva para ella. La cuenta será tuya:

{{forgotUrl}}
`,
}
