import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subject: 'Confirme seu e-mail do Hubline',
  text: `Para confirmar o e-mail da sua conta do Hubline, digite este código no painel:

{{code}}

Ou abra este link e digite sua senha:

{{url}}

Os dois funcionam uma única vez, por 24 horas.

Se não foi você quem pediu, não passe o código a ninguém. Se outra pessoa criou uma conta com o seu endereço, defina uma nova senha para ela. A conta passa a ser sua:

{{forgotUrl}}
`,
}
