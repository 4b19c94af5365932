import { en } from '@hubline/locales/connect-invitation/en.ts'
import { es } from '@hubline/locales/connect-invitation/es.ts'
import { ptBR } from '@hubline/locales/connect-invitation/pt-BR.ts'
import { INTL_LOCALES, type Language } from '@hubline/locales/languages.ts'

type Invitation = { name: string; expiresAt: string }

const TEXTS: Record<Language, { text: string }> = { en, 'pt-BR': ptBR, es }

/** Writes the message for the owner of the number, in the owner's language. */
export function writeInvitation(language: Language, { name, expiresAt }: Invitation): string {
  const date = new Date(expiresAt)
  const values: Record<string, string> = {
    name,
    day: date.toLocaleDateString(INTL_LOCALES[language], { day: 'numeric', month: 'long' }),
    clock: date.toLocaleTimeString(INTL_LOCALES[language], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }
  return TEXTS[language].text.replace(/\{\{(\w+)\}\}/g, (_, parameter: string) => values[parameter] ?? '')
}
