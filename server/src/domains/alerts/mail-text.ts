import type { Catalog } from '@hubline/locales/catalog.ts'
import { INTL_LOCALES, type Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/mails/alert/en.ts'
import { es } from '@hubline/locales/mails/alert/es.ts'
import { ptBR } from '@hubline/locales/mails/alert/pt-BR.ts'
import { fillText } from '../../kernel/pages/fill-text.ts'
import { toMailLine } from '../../mail/mail-line.ts'
import type { MailContent } from '../../mail/smtp.ts'
import type { AlertKind } from './store.ts'

const TEXTS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

type Described = { organization: string; name: string; at: string; url: string; accountUrl: string }

export function composeAlertMail(
  kind: AlertKind,
  { language, timeZone }: { language: Language; timeZone: string },
  { organization, name, at, url, accountUrl }: Described,
): Pick<MailContent, 'subject' | 'text'> {
  const { subject, text } = TEXTS[language][kind]
  const format = new Intl.DateTimeFormat(INTL_LOCALES[language], { timeZone, dateStyle: 'long', timeStyle: 'long' })
  const values = {
    organization: toMailLine(organization),
    name: toMailLine(name),
    at: format.format(new Date(at)),
    url,
  }
  return { subject, text: `${fillText(text, values)}\n${fillText(TEXTS[language].footer, { accountUrl })}` }
}
