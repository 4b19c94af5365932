import type { Catalog } from '@hubline/locales/catalog.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/mails/email-verification/en.ts'
import { es } from '@hubline/locales/mails/email-verification/es.ts'
import { ptBR } from '@hubline/locales/mails/email-verification/pt-BR.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import type { MailContent } from '../../../mail/smtp.ts'

const TEXTS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

export function composeVerificationMail(
  language: Language,
  content: { code: string; url: string; forgotUrl: string },
): Pick<MailContent, 'subject' | 'text'> {
  const { subject, text } = TEXTS[language]
  return { subject, text: fillText(text, content) }
}
