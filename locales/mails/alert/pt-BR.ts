import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  endpoint_paused: {
    subject: 'Um endpoint de webhook foi pausado',
    text: `O endpoint de webhook "{{name}}" da organização "{{organization}}" falhou 20 vezes seguidas e foi pausado em {{at}}.

Eventos novos não são enviados a ele, mas ficam no registro de mensagens. Quando o receptor voltar a funcionar, retome o endpoint aqui:

{{url}}
`,
  },
  channel_degraded: {
    subject: 'Um canal funciona só em parte',
    text: `O canal "{{name}}" da organização "{{organization}}" funciona só em parte desde {{at}}.

O diagnóstico mostra o que há de errado e o que fazer:

{{url}}
`,
  },
  channel_disconnected: {
    subject: 'Um canal foi desconectado',
    text: `O canal "{{name}}" da organização "{{organization}}" foi desconectado em {{at}}.

Nenhuma mensagem é enviada nem recebida até que ele seja conectado de novo. O diagnóstico mostra o motivo:

{{url}}
`,
  },
  footer: `Você recebe no máximo um e-mail assim por hora sobre o mesmo endpoint ou canal. Para não receber mais, desative estes e-mails na sua conta:

{{accountUrl}}
`,
}
