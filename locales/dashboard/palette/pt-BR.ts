import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  auditOf: 'Auditoria deste id',
  channels: 'Canais',
  deliveryOf: 'Entrega com este id',
  deliveryOfEvent: 'Entrega deste evento',
  diagnose: 'Fazer diagnóstico',
  doWith: 'Ações para {{name}}',
  in: 'em {{name}}',
  jump: 'Ir para',
  looking: 'Procurando este id',
  messageOf: 'Mensagem com este id',
  messagesOf: 'Mensagens desta pessoa',
  move: 'mover',
  newLink: 'Novo link de conexão',
  newLinkHint: 'encerra os anteriores',
  nothing: 'Nenhum resultado para “{{query}}”.',
  open: 'abrir',
  pages: 'Páginas',
  paste: 'Cole um id, wamid ou id de requisição para ir até ele',
  placeholder: 'Buscar ou ir para',
  requestOf: 'Requisição com este id',
  sendTest: 'Enviar mensagem de teste',
  title: 'Buscar ou ir para',
}
