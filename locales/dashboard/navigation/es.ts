import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  overview: 'Resumen',
  messaging: 'Mensajería',
  channels: 'Canales',
  messages: 'Mensajes',
  templates: 'Plantillas',
  developers: 'Desarrollo',
  simulator: 'Simulador',
  webhooks: 'Webhooks',
  apiKeys: 'Claves de API',
  developerTools: 'Herramientas',
  docs: 'Documentación',
  organization: 'Organización',
  members: 'Miembros',
  more: 'Más',
  settings: 'Configuración',
  usage: 'Uso y facturación',
  auditLog: 'Auditoría',
  privacy: 'Datos y privacidad',
  main: 'Principal',
}
