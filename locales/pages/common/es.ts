import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  errors: {
    RATE_LIMITED: ['Demasiados intentos', 'Espera un poco e inténtalo de nuevo.'],
    ORIGIN_NOT_ALLOWED: [
      'Abre la página de nuevo',
      'El formulario no vino de esta página. Ábrela de nuevo y vuelve a intentarlo.',
    ],
  },
  trouble: ['No funcionó', 'No se cambió nada. Espera un momento e inténtalo de nuevo.'],
  reference: 'Referencia',
}
