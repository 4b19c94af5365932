import type { Catalog } from '@hubline/locales/catalog.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/mails/invitation/en.ts'
import { es } from '@hubline/locales/mails/invitation/es.ts'
import { ptBR } from '@hubline/locales/mails/invitation/pt-BR.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import { toMailLine } from '../../../mail/mail-line.ts'
import type { MailContent } from '../../../mail/smtp.ts'

const TEXTS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

type Invitation = { organization: string; invitedBy: string; url: string }

export function composeInvitationMail(
  language: Language,
  { organization, invitedBy, url }: Invitation,
): Pick<MailContent, 'subject' | 'text'> {
  const { subject, text } = TEXTS[language]
  const values = { organization: toMailLine(organization), invitedBy: toMailLine(invitedBy), url }
  return { subject, text: fillText(text, values) }
}
