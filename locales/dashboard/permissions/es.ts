import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  needsScope: 'necesita {{scope}}',
  needsRole: 'necesita el rol {{role}}',
  suspended: 'suspendido hasta que se pague la factura pendiente',
}
