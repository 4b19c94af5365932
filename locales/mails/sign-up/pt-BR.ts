import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  finish: {
    subject: 'Termine de criar sua conta do Hubline',
    text: `Alguém, provavelmente você, está criando uma conta do Hubline com este endereço.

Para terminar, abra este link e digite a senha que você escolheu. Ele funciona uma única vez, por 24 horas:

{{url}}

Se não foi você, ignore esta mensagem: sem você, nenhuma conta é criada.
`,
  },
  known: {
    subject: 'Você já tem uma conta do Hubline',
    text: `Alguém, provavelmente você, tentou criar uma conta do Hubline com este endereço. Ele já tem uma, e nada foi alterado.

Entre aqui:

{{signInUrl}}

Se você esqueceu a senha, defina uma nova aqui:

{{forgotUrl}}

Se não foi você, ignore esta mensagem.
`,
  },
}
