import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Conectar um cliente existente',
  text: 'Programas escritos para a Cloud API da Meta funcionam com este canal como estão. Informe neles este endereço no lugar de https://graph.facebook.com, estes ids e o token do canal.',
  address: 'Endereço',
  copyAddress: 'Copiar o endereço',
  tokenLink: 'Ir para o token do canal',
  receive:
    'Para que ele receba mensagens, crie um endpoint de webhook para o endereço dele no modo upstream_raw. O segredo do endpoint toma o lugar do segredo do aplicativo.',
  notConnected: 'Os ids são conhecidos quando um número é conectado. Até lá o endereço não atende nenhum cliente.',
  scopes: 'O que cada escopo do token permite',
  byName: 'Somente se você o escolher.',
}
