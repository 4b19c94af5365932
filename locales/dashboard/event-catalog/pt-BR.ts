import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subtitle: 'O que o hub envia para seus endpoints, com um exemplo de cada.',
  list: 'Tipos de eventos',
  back: 'Todos os eventos',
  mode: 'payload_mode',
  format: 'delivery_format',
  body: 'Corpo',
  headers: 'Cabeçalhos',
  notInMode: 'Um endpoint com o payload_mode {{mode}} não recebe este evento.',
  rawInstead: 'O que a Meta enviou chega lá como upstream.raw.',
  compatBody: 'No formato compat este evento tem um corpo próprio.',
  sameBody: 'Os dois formatos têm este corpo. A diferença está no que é assinado.',
  receivers: 'Endpoints que o recebem',
  noReceivers: 'Nenhum endpoint ativo recebe este evento.',
  newEndpoint: 'Novo endpoint',
  receiversFailed: 'Não foi possível carregar os endpoints',
  everyChannel: 'todos os canais',
  someChannels_one: '{{count}} canal',
  someChannels_other: '{{count}} canais',
}
