import type { Language } from '../../kernel/pages/language.ts'
import { toMailLine } from '../../mail/mail-line.ts'
import type { MailContent } from '../../mail/smtp.ts'

type Deletion = { organization: string; requestedBy: string; at: string; url: string }

/** No name is in a subject. */
const TEXTS: Record<Language, (deletion: Deletion) => Pick<MailContent, 'subject' | 'text'>> = {
  en: ({ organization, requestedBy, at, url }) => ({
    subject: 'An organization of yours on Hubline will be deleted',
    text: `"${requestedBy}" has requested the deletion of the organization "${organization}" on Hubline.

It will be deleted with all its channels, keys, messages and logs on ${at}. Until then everything works.

Any owner can keep it:

${url}
`,
  }),
  'pt-BR': ({ organization, requestedBy, at, url }) => ({
    subject: 'Uma organização sua no Hubline será excluída',
    text: `"${requestedBy}" solicitou a exclusão da organização "${organization}" no Hubline.

Ela será excluída com todos os seus canais, chaves, mensagens e registros em ${at}. Até lá tudo funciona.

Qualquer titular pode mantê-la:

${url}
`,
  }),
}

export function composeDeletionMail(
  { language, timeZone }: { language: Language; timeZone: string },
  { organization, requestedBy, deletesAt, url }: Omit<Deletion, 'at'> & { deletesAt: string },
) {
  const format = new Intl.DateTimeFormat(language, { timeZone, dateStyle: 'long', timeStyle: 'long' })
  return TEXTS[language]({
    organization: toMailLine(organization),
    requestedBy: toMailLine(requestedBy),
    at: format.format(new Date(deletesAt)),
    url,
  })
}
