import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Novo canal',
  text: 'Ele começa sem número. Quem tem o número faz a conexão por um link.',
  compat: 'Webhook de compatibilidade',
  compatHint: 'Opcional. O endpoint recebe corpos brutos com assinaturas compat, só deste canal.',
  create: 'Criar canal',
  created: '{{name}}: canal criado',
  externalId: 'external_id',
  externalIdHint: 'Opcional. O id deste cliente no seu próprio sistema.',
  forServer: 'Para o seu servidor',
  linkFailed: 'Não foi possível criar o link de conexão. Crie um na página do canal.',
  name: 'Nome',
  nameHint: 'Aparece para quem vai conectar o número.',
  secret: 'Segredo do webhook',
  secretPurpose: 'Seu endpoint confere com ele a assinatura de cada entrega.',
  token: 'Token do canal',
  tokenPurpose: 'Seu código usa o token para enviar por este número. Ele não alcança nenhum outro canal.',
}
