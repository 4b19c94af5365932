import { defineTexts } from '../../../../lib/texts.ts'

export const useClientTexts = defineTexts(
  'channel-client',
  {
    title: 'Connect an existing client',
    text: 'Software that was written for Meta’s Cloud API works with this channel as it is. Give it this address in place of https://graph.facebook.com, these ids, and the channel token.',
    address: 'Address',
    copyAddress: 'Copy the address',
    tokenLink: 'Go to the channel token',
    receive:
      'So that it receives messages, create a webhook endpoint for its address in the mode upstream_raw. The secret of the endpoint takes the place of the app secret.',
    notConnected: 'The ids are known once a number is connected. Until then the address answers no client.',
    scopes: 'What each scope of the token allows',
    byName: 'Only if you choose it.',
  },
  {
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
  },
)
