import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subtitle: 'Como está este hub, consultado a cada dez segundos.',
  hub: 'Hub',
  health: 'O processo está vivo',
  ready: 'Recebe requisições',
  failed: 'não responde',
  held: 'em espera: não envia nem entrega nada',
  notReady: 'não está pronto',
  latency: 'em {{time}}',
  version: 'Versão',
  deliveries: 'Entregas desta organização',
  queued: 'Na fila',
  oldest: 'A mais antiga espera há',
  figuresFailed: 'Não foi possível carregar os números',
  sandbox: 'Um simulador faz o papel do WhatsApp.',
}
