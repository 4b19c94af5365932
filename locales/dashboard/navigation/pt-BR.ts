import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  overview: 'Visão geral',
  messaging: 'Conversas',
  channels: 'Canais',
  messages: 'Mensagens',
  templates: 'Modelos',
  developers: 'Desenvolvimento',
  simulator: 'Simulador',
  webhooks: 'Webhooks',
  apiKeys: 'Chaves de API',
  developerTools: 'Ferramentas',
  docs: 'Documentação',
  organization: 'Organização',
  members: 'Membros',
  more: 'Mais',
  settings: 'Configurações',
  usage: 'Uso e cobrança',
  auditLog: 'Auditoria',
  privacy: 'Dados e privacidade',
  main: 'Principal',
}
