import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subject: 'Una organización tuya en Hubline se eliminará',
  text: `"{{requestedBy}}" solicitó eliminar la organización "{{organization}}" en Hubline.

Se eliminará con todos sus canales, claves, mensajes y registros el {{at}}. Hasta entonces todo funciona.

Cualquier titular puede conservarla:

{{url}}
`,
}
