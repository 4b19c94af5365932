import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const es: Catalog<typeof en> = {
  endpoint_paused: {
    subject: 'Se pausó un webhook',
    text: `El webhook "{{name}}" de la organización "{{organization}}" falló 20 veces seguidas y se pausó el {{at}}.

Los eventos nuevos no se le envían, pero quedan en el registro de mensajes. Cuando el receptor vuelva a funcionar, reanuda el webhook aquí:

{{url}}
`,
  },
  channel_degraded: {
    subject: 'Un canal funciona solo en parte',
    text: `El canal "{{name}}" de la organización "{{organization}}" funciona solo en parte desde el {{at}}.

El diagnóstico indica qué falla y qué hacer:

{{url}}
`,
  },
  channel_disconnected: {
    subject: 'Se desconectó un canal',
    text: `El canal "{{name}}" de la organización "{{organization}}" se desconectó el {{at}}.

No se envía ni se recibe ningún mensaje hasta que se vuelva a conectar. El diagnóstico indica el motivo:

{{url}}
`,
  },
  footer: `Recibes como máximo un correo así por hora sobre el mismo webhook o canal. Puedes desactivar estos correos en tu cuenta:

{{accountUrl}}
`,
}
