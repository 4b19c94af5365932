import type { Language } from '../../../kernel/pages/language.ts'
import type { MailContent } from '../../../mail/smtp.ts'

type Text = Pick<MailContent, 'subject' | 'text'>

/** No text has what the person entered: it may be an attacker who writes to any address. */
const TEXTS: Record<Language, { finish: (url: string) => Text; known: (signIn: string, forgot: string) => Text }> = {
  en: {
    finish: (url) => ({
      subject: 'Finish creating your Hubline account',
      text: `Someone, probably you, is creating a Hubline account with this address.

To finish, open this link and enter the password that you chose. It works once, for 24 hours:

${url}

If it was not you, ignore this mail: without you, no account is created.
`,
    }),
    known: (signIn, forgot) => ({
      subject: 'You have a Hubline account already',
      text: `Someone, probably you, tried to create a Hubline account with this address. It has one already, and nothing was changed.

Sign in here:

${signIn}

If you forgot the password, set a new one here:

${forgot}

If it was not you, ignore this mail.
`,
    }),
  },
  'pt-BR': {
    finish: (url) => ({
      subject: 'Termine de criar sua conta do Hubline',
      text: `Alguém, provavelmente você, está criando uma conta do Hubline com este endereço.

Para terminar, abra este link e digite a senha que você escolheu. Ele funciona uma única vez, por 24 horas:

${url}

Se não foi você, ignore esta mensagem: sem você, nenhuma conta é criada.
`,
    }),
    known: (signIn, forgot) => ({
      subject: 'Você já tem uma conta do Hubline',
      text: `Alguém, provavelmente você, tentou criar uma conta do Hubline com este endereço. Ele já tem uma, e nada foi alterado.

Entre aqui:

${signIn}

Se você esqueceu a senha, defina uma nova aqui:

${forgot}

Se não foi você, ignore esta mensagem.
`,
    }),
  },
}

export function composeFinishMail(language: Language, url: string): Text {
  return TEXTS[language].finish(url)
}

export function composeKnownMail(language: Language, publicUrl: string): Text {
  return TEXTS[language].known(`${publicUrl}/sign-in`, `${publicUrl}/forgot-password`)
}
