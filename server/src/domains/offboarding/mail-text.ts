import type { Catalog } from '@hubline/locales/catalog.ts'
import { INTL_LOCALES, type Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/mails/deletion/en.ts'
import { es } from '@hubline/locales/mails/deletion/es.ts'
import { ptBR } from '@hubline/locales/mails/deletion/pt-BR.ts'
import { fillText } from '../../kernel/pages/fill-text.ts'
import { toMailLine } from '../../mail/mail-line.ts'
import type { MailContent } from '../../mail/smtp.ts'

const TEXTS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

type Deletion = { organization: string; requestedBy: string; deletesAt: string; url: string }

export function composeDeletionMail(
  { language, timeZone }: { language: Language; timeZone: string },
  { organization, requestedBy, deletesAt, url }: Deletion,
): Pick<MailContent, 'subject' | 'text'> {
  const { subject, text } = TEXTS[language]
  const format = new Intl.DateTimeFormat(INTL_LOCALES[language], { timeZone, dateStyle: 'long', timeStyle: 'long' })
  const values = {
    organization: toMailLine(organization),
    requestedBy: toMailLine(requestedBy),
    at: format.format(new Date(deletesAt)),
    url,
  }
  return { subject, text: fillText(text, values) }
}
