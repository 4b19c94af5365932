import type { Catalog } from '@hubline/locales/catalog.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/mails/password-reset/en.ts'
import { es } from '@hubline/locales/mails/password-reset/es.ts'
import { ptBR } from '@hubline/locales/mails/password-reset/pt-BR.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import type { MailContent } from '../../../mail/smtp.ts'

const TEXTS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

export function composeResetMail(language: Language, url: string): Pick<MailContent, 'subject' | 'text'> {
  const { subject, text } = TEXTS[language]
  return { subject, text: fillText(text, { url }) }
}
