import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  title: 'Excluir este canal',
  undone: 'Não dá para desfazer.',
  intro: 'Na mesma hora:',
  'consequence.1': 'o canal some da API e do painel, e seu lugar no plano fica livre;',
  'consequence.2': 'o token do canal é revogado;',
  'consequence.3': 'os links de conexão são encerrados;',
  'consequence.4': 'ele sai dos seus endpoints de webhook;',
  'consequence.5': 'a credencial guardada do WhatsApp é apagada.',
  keep: 'O número continua registrado no WhatsApp, a não ser que você escolha o contrário.',
  deregister: 'Também cancelar o registro do número no WhatsApp',
  deregisterHint:
    'Só este número; os outros da conta continuam funcionando. Para usá-lo de novo será preciso registrar com o PIN de duas etapas. Se o WhatsApp recusar, o canal é excluído assim mesmo e a auditoria registra channel.deregister_failed.',
  delete: 'Excluir o canal',
  ask: 'Excluir {{name}}?',
  askKeep: 'O número continua registrado no WhatsApp.',
  askDeregister: 'O registro do número {{number}} no WhatsApp é cancelado.',
  'result.feito': 'O canal foi excluído, e o registro do número foi cancelado.',
  'result.falhou': 'O canal foi excluído. O WhatsApp recusou cancelar o registro: o número continua registrado.',
  'result.nao-solicitado': 'O canal foi excluído.',
  'result.sem-numero': 'O canal foi excluído. Ele nunca teve número.',
  'result.sem-credencial': 'O canal foi excluído. A credencial não pode ser lida: o número continua registrado.',
  deleted: '{{name}}: canal excluído',
  toList: 'Ir para os canais',
}
