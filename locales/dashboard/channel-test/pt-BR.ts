import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  message: 'Mensagem',
  recipient: 'Destinatário',
  recipientHint:
    'Telefone com o código do país, como +55 11 98765-4321, ou id de usuário. Seu próprio celular serve bem.',
  recipientSandbox:
    'Telefone com o código do país, ou id de usuário. No sandbox todo número é um celular simulado, como {{number}}, de {{name}}; o simulador mostra o que ele recebe.',
  recipientWrong:
    'Informe um telefone com o código do país, de 8 a 15 dígitos, ou um id de usuário como BR.1349120865.',
  kind: 'Tipo de mensagem',
  'kind.text': 'Texto',
  'kind.template': 'Modelo',
  text: 'Texto',
  template: 'Modelo',
  chooseTemplate: 'Escolha um modelo',
  noTemplates: 'Esta conta ainda não tem modelo aprovado.',
  templatesFailed: 'Não foi possível carregar os modelos',
  mediaLink: 'Endereço https do arquivo',
  windowOpen: 'A pessoa escreveu há {{time}}: qualquer texto pode ser enviado até {{until}}.',
  windowClosed: 'Nenhuma mensagem desta pessoa nas últimas 24 horas.',
  windowClosedText:
    'O WhatsApp só entrega texto livre até 24 horas depois que a pessoa escreveu. Um modelo sempre funciona.',
  windowRule: 'Texto livre só é entregue até 24 horas depois que a pessoa escreveu. Um modelo sempre funciona.',
  useTemplate: 'Usar um modelo',
  key: 'Idempotency-Key',
  keyText: 'A mesma chave nunca envia duas vezes. Uma nova é gerada para a próxima mensagem.',
  send: 'Enviar mensagem',
  again: 'Escrever outra mensagem',
  notConnected: 'O canal ainda não tem número, então nada pode ser enviado.',
  request: 'Requisição',
  response: 'Resposta',
  waiting: 'A resposta aparece aqui.',
  progress: 'A caminho',
  unknown: 'Não se sabe se a mensagem foi enviada.',
  unknownText: 'Procure no registro de mensagens. Não envie de novo com outra chave.',
  check: 'Verificar',
  openLog: 'Abrir no registro',
  preview: 'Prévia',
  previewEmpty: 'Sua mensagem',
  business: 'Conta comercial',
  button: 'Botão {{number}}: fim do endereço',
  coupon: 'Botão {{number}}: código para copiar',
  'place.header': 'Cabeçalho',
  'place.body': 'Corpo',
}
