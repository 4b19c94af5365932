import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  notFound: 'Esta página no existe',
  notFoundText: 'La dirección puede estar mal escrita, o se eliminó lo que mostraba.',
  overview: 'Resumen',
  failed: 'No se pudo mostrar la página',
}
