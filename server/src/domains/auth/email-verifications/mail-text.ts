import type { Language } from '../../../kernel/pages/language.ts'
import type { MailContent } from '../../../mail/smtp.ts'

type Content = { code: string; url: string; forgotUrl: string }

const TEXTS: Record<Language, (content: Content) => Pick<MailContent, 'subject' | 'text'>> = {
  en: ({ code, url, forgotUrl }) => ({
    subject: 'Verify your e-mail for Hubline',
    text: `To verify the e-mail of your Hubline account, enter this code in the dashboard:

${code}

Or open this link and enter your password:

${url}

Both work once, for 24 hours.

If you did not ask for this, do not share the code. If someone else created an account with your address, set a new password for it. The account is then yours:

${forgotUrl}
`,
  }),
  'pt-BR': ({ code, url, forgotUrl }) => ({
    subject: 'Confirme seu e-mail do Hubline',
    text: `Para confirmar o e-mail da sua conta do Hubline, digite este código no painel:

${code}

Ou abra este link e digite sua senha:

${url}

Os dois funcionam uma única vez, por 24 horas.

Se não foi você quem pediu, não passe o código a ninguém. Se outra pessoa criou uma conta com o seu endereço, defina uma nova senha para ela. A conta passa a ser sua:

${forgotUrl}
`,
  }),
}

export function composeVerificationMail(language: Language, content: Content) {
  return TEXTS[language](content)
}
