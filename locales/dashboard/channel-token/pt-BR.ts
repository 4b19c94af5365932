import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Token do canal',
  text: 'Seu código envia e lê por este número com ele. Ele não alcança outro canal, e foi exibido uma vez, quando foi criado.',
  scopes: 'Escopos',
  scopesText: 'O que o token pode fazer com este canal.',
  keep: 'Manter os escopos que o token tem',
  choose: 'Escolher os escopos',
  regenerate: 'Gerar novo token',
  regenerateTitle: 'Gerar um novo token de {{name}}?',
  regenerateText: 'O token em uso deixa de funcionar na hora. Todo programa que o usa é recusado até receber o novo.',
  revoke: 'Revogar o token',
  revokeTitle: 'Revogar o token de {{name}}?',
  revokeText:
    'Os programas que o usam são recusados na hora. Não há novo token até você gerar um. As chaves de API e o próprio número não são afetados.',
  revoked: 'O token foi revogado',
  revokeCard: 'Revogar',
  revokeCardText: 'Se o token vazou e nada deve enviar por este número por enquanto.',
  newTitle: 'Novo token de {{name}}',
  purpose: 'Ele substitui o token anterior, que é recusado a partir de agora.',
  none: 'Escolha pelo menos um escopo.',
  'scope.channels:read': 'Ver o canal, seu número, conta e perfil, e fazer seu diagnóstico',
  'scope.messages:read': 'Ler o registro de mensagens e baixar mídia',
  'scope.templates:read': 'Ver os modelos',
  'scope.messages:send': 'Enviar mensagens',
  'scope.media:write': 'Enviar e excluir arquivos de mídia',
  'scope.profile:write': 'Alterar o perfil comercial',
  'scope.templates:write': 'Criar, alterar e excluir modelos',
  'scope.calls:write': 'Encerrar chamadas',
  'scope.number:write': 'Bloquear pessoas e alterar QR codes, o nome de usuário e as configurações do número',
}
