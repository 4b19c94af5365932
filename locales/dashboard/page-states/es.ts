import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  notFound: 'Esta página no existe',
  notFoundText: 'La dirección puede estar mal escrita, o se eliminó lo que mostraba.',
  overview: 'Resumen',
  codeFailed: 'No se pudo cargar esta página',
  codeFailedText: 'El hub no respondió o tiene una versión nueva. Las demás páginas siguen como están.',
  tryAgain: 'Reintentar',
  reload: 'Recargar el panel',
  failed: 'No se pudo mostrar la página',
}
