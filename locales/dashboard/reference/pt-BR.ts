import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subtitle:
    'Todas as operações deste hub. A referência completa tem os esquemas, os erros e exemplos com os seus ids, e funciona sem internet.',
  open: 'Abrir a referência',
  download: 'Baixar openapi.json',
  basics: 'O básico',
  baseUrl: 'URL base',
  authentication: 'Autenticação',
  authenticationText: 'uma chave de API ou, no próprio canal, um token de canal',
  limits: 'Limites',
  limitKey: '{{requests}} requisições por minuto para cada chave',
  limitOrganization: '{{requests}} requisições por minuto para todas as chaves juntas',
  limitWebhooks: '{{requests}} requisições por minuto para endpoints de webhook',
  limitSends: '{{requests}} envios por segundo para cada canal',
  limitFacade: '{{requests}} requisições da fachada por segundo para cada canal',
  limitHeaders: 'Cada resposta tem RateLimit-Limit, RateLimit-Remaining e RateLimit-Reset; um 429 tem Retry-After.',
  version: 'Versão da API',
  search: 'Buscar operações',
  failed: 'Não foi possível carregar a descrição da API',
  noMatch: 'Nenhuma operação corresponde',
  scope: 'exige {{scope}}',
}
