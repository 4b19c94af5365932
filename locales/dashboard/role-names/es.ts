import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  viewer: 'Lectura',
  developer: 'Desarrollo',
  admin: 'Administración',
  owner: 'Titular',
}
