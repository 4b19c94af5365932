import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subject: 'Convite para participar de uma organização no Hubline',
  text: `"{{invitedBy}}" convida você para participar da organização "{{organization}}" no Hubline.

Para participar, abra este link. Ele funciona uma única vez, por sete dias:

{{url}}

Se você não espera este convite, ignore esta mensagem.
`,
}
