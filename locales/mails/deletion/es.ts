import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subject: 'Se eliminará una de tus organizaciones en Hubline',
  text: `"{{requestedBy}}" solicitó eliminar la organización "{{organization}}" en Hubline.

Se eliminará con todos sus canales, claves, mensajes y registros el {{at}}. Hasta entonces todo funciona.

Cualquier titular puede conservarla:

{{url}}
`,
}
