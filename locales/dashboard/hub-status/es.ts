import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  subtitle: 'Cómo está este hub, consultado cada diez segundos.',
  hub: 'Hub',
  health: 'El proceso está activo',
  ready: 'Acepta solicitudes',
  failed: 'no responde',
  held: 'en espera: no envía ni entrega nada',
  notReady: 'no está listo',
  latency: 'en {{time}}',
  version: 'Versión',
  deliveries: 'Entregas de esta organización',
  queued: 'En cola',
  oldest: 'La más antigua espera hace',
  figuresFailed: 'No se pudieron cargar las cifras',
  sandbox: 'Un simulador hace el papel de WhatsApp.',
}
