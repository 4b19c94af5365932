import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subject: 'Te invitan a una organización en Hubline',
  text: `"{{invitedBy}}" te invita a unirte a la organización "{{organization}}" en Hubline.

Para unirte, abre este enlace. Funciona una sola vez, durante siete días:

{{url}}

Si no esperas esta invitación, ignora este mensaje.
`,
}
