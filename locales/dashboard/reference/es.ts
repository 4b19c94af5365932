import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subtitle:
    'Todas las operaciones de este hub. La referencia completa tiene los esquemas, los errores y ejemplos con tus ids, y funciona sin internet.',
  open: 'Abrir la referencia',
  download: 'Descargar openapi.json',
  basics: 'Lo básico',
  baseUrl: 'URL base',
  authentication: 'Autenticación',
  authenticationText: 'una clave de API o, en su propio canal, un token de canal',
  limits: 'Límites',
  limitKey: '{{requests}} solicitudes por minuto para cada clave',
  limitOrganization: '{{requests}} solicitudes por minuto para todas las claves juntas',
  limitWebhooks: '{{requests}} solicitudes por minuto para webhooks',
  limitSends: '{{requests}} envíos por segundo para cada canal',
  limitFacade: '{{requests}} solicitudes de la fachada por segundo para cada canal',
  limitHeaders:
    'Cada respuesta tiene RateLimit-Limit, RateLimit-Remaining y RateLimit-Reset; un 429 tiene Retry-After.',
  version: 'Versión de la API',
  search: 'Buscar operaciones',
  failed: 'No se pudo cargar la descripción de la API',
  noMatch: 'Ninguna operación coincide',
  scope: 'necesita {{scope}}',
}
