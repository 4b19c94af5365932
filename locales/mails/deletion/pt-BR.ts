import type { Catalog } from '../../catalog.ts'
import type { en } from './en.ts'

export const ptBR: Catalog<typeof en> = {
  subject: 'Uma das suas organizações no Hubline será excluída',
  text: `"{{requestedBy}}" solicitou a exclusão da organização "{{organization}}" no Hubline.

Ela será excluída com todos os seus canais, chaves, mensagens e registros em {{at}}. Até lá tudo funciona.

Qualquer titular pode mantê-la:

{{url}}
`,
}
