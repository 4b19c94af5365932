import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subject: 'Defina uma nova senha do Hubline',
  text: `Alguém, provavelmente você, pediu uma nova senha para a conta do Hubline deste endereço.

Para defini-la, abra este link. Ele funciona uma única vez, por uma hora:

{{url}}

Se não foi você, ignore esta mensagem: sua senha continua a mesma.
`,
}
