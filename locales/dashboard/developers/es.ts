import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Herramientas',
  tabs: 'Secciones de esta página',
  requests: 'Solicitudes',
  events: 'Eventos',
  reference: 'Referencia de la API',
  tools: 'SDK y CLI',
  status: 'Estado',
}
