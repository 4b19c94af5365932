import type { Language } from '../../../kernel/pages/language.ts'
import type { MailContent } from '../../../mail/smtp.ts'

type Text = Pick<MailContent, 'subject' | 'text'>

const TEXTS: Record<Language, (url: string) => Text> = {
  en: (url) => ({
    subject: 'Set a new password for Hubline',
    text: `Someone, probably you, asked for a new password for the Hubline account of this address.

To set it, open this link. It works once, for one hour:

${url}

If you did not ask for it, ignore this mail: your password stays as it is.
`,
  }),
  'pt-BR': (url) => ({
    subject: 'Defina uma nova senha do Hubline',
    text: `Alguém, provavelmente você, pediu uma nova senha para a conta do Hubline deste endereço.

Para defini-la, abra este link. Ele funciona uma única vez, por uma hora:

${url}

Se não foi você, ignore esta mensagem: sua senha continua a mesma.
`,
  }),
}

export function composeResetMail(language: Language, url: string): Text {
  return TEXTS[language](url)
}
