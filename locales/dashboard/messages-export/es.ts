import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  title: 'Exportar mensajes',
  text: 'Los mensajes que pasan los filtros, del más nuevo al más antiguo. La exportación queda en el registro de auditoría.',
  format: 'Formato',
  content: 'Con el contenido de los mensajes',
  contentHint: 'Quien tenga el archivo puede leer lo que escribieron las personas.',
  start: 'Iniciar la exportación',
  stop: 'Detener',
}
