import type { Language } from '@hubline/locales/languages.ts'

type Invitation = { name: string; expiresAt: string }

function writeMoment(at: string, language: Language): { day: string; clock: string } {
  const date = new Date(at)
  return {
    day: date.toLocaleDateString(language, { day: '2-digit', month: language === 'en' ? 'short' : '2-digit' }),
    clock: date.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }
}

/** What to write to the owner of the number, in the owner's language. */
const WRITERS: Record<Language, (invitation: Invitation) => string> = {
  'pt-BR'({ name, expiresAt }) {
    const { day, clock } = writeMoment(expiresAt, 'pt-BR')
    return `Olá! Para ligar o WhatsApp de ${name} ao nosso sistema, abra o link abaixo no computador ou no celular. Tenha à mão o acesso ao Facebook e o telefone do número. O link vale até ${day} às ${clock} e funciona uma única vez.`
  },
  en({ name, expiresAt }) {
    const { day, clock } = writeMoment(expiresAt, 'en')
    return `Hello! To connect the WhatsApp of ${name} to our system, open the link below on a computer or a phone. Have your Facebook login and the phone of the number at hand. The link is valid until ${day}, ${clock}, and works once.`
  },
}

export function writeInvitation(language: Language, invitation: Invitation): string {
  return WRITERS[language](invitation)
}
