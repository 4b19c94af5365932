import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '../../api/channels.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useCostsTexts } from './costs-texts.ts'

type ChannelMenuProps = { channelId: string | undefined; onChoose: (id: string | undefined) => void }

export function ChannelMenu({ channelId, onChoose }: ChannelMenuProps) {
  const t = useCostsTexts()
  const { data: channels = [] } = useQuery(channelsQuery)
  const chosen = channels.find(({ id }) => id === channelId)
  return (
    <Menu
      align="end"
      trigger={
        <Button size="bar" icon="phone">
          <span className="max-w-48 truncate">{chosen?.name ?? t('allChannels')}</span>
          <Icon name="chevron-down" size={12} className="text-text-3" />
        </Button>
      }
      items={[
        { label: t('allChannels'), isChecked: channelId === undefined, onSelect: () => onChoose(undefined) },
        ...channels.map(({ id, name }) => ({ label: name, isChecked: id === channelId, onSelect: () => onChoose(id) })),
      ]}
    />
  )
}
