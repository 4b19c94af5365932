import type { Language } from '../../../kernel/pages/language.ts'
import { toMailLine } from '../../../mail/mail-line.ts'
import type { MailContent } from '../../../mail/smtp.ts'

type Invitation = { organization: string; invitedBy: string; url: string }

/** No name is in a subject. */
const TEXTS: Record<Language, (invitation: Invitation) => Pick<MailContent, 'subject' | 'text'>> = {
  en: ({ organization, invitedBy, url }) => ({
    subject: 'You are invited to join an organization on Hubline',
    text: `"${invitedBy}" invites you to join the organization "${organization}" on Hubline.

To join, open this link. It works once, for seven days:

${url}

If you do not expect this invitation, ignore this mail.
`,
  }),
  'pt-BR': ({ organization, invitedBy, url }) => ({
    subject: 'Convite para participar de uma organização no Hubline',
    text: `"${invitedBy}" convida você para participar da organização "${organization}" no Hubline.

Para participar, abra este link. Ele funciona uma única vez, por sete dias:

${url}

Se você não espera este convite, ignore esta mensagem.
`,
  }),
}

export function composeInvitationMail(language: Language, { organization, invitedBy, url }: Invitation) {
  return TEXTS[language]({ organization: toMailLine(organization), invitedBy: toMailLine(invitedBy), url })
}
