import { Badge } from '../../ui/data/badge.tsx'
import { useChannelsTexts } from './channels-texts.ts'

/** The use of the number: also in the WhatsApp Business app, or by the API alone. Unknown before it is connected. */
export function Mode({ channel }: { channel: { coexistence: boolean; phone_number_id: string | null } }) {
  const t = useChannelsTexts()
  if (channel.phone_number_id === null) return <span className="text-text-3">–</span>
  if (!channel.coexistence) return t('apiOnly')
  return (
    <Badge tone="outline" icon="phone">
      {t('coexistence')}
    </Badge>
  )
}
