import type { Catalog } from '@hubline/locales/catalog.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/mails/sign-up/en.ts'
import { es } from '@hubline/locales/mails/sign-up/es.ts'
import { ptBR } from '@hubline/locales/mails/sign-up/pt-BR.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import type { MailContent } from '../../../mail/smtp.ts'

const TEXTS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

type Text = Pick<MailContent, 'subject' | 'text'>

export function composeFinishMail(language: Language, url: string): Text {
  const { subject, text } = TEXTS[language].finish
  return { subject, text: fillText(text, { url }) }
}

export function composeKnownMail(language: Language, publicUrl: string): Text {
  const { subject, text } = TEXTS[language].known
  const values = { signInUrl: `${publicUrl}/sign-in`, forgotUrl: `${publicUrl}/forgot-password` }
  return { subject, text: fillText(text, values) }
}
