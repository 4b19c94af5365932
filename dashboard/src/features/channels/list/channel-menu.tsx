import type { Channel } from '@hubline/sdk/console'
import { useNavigate } from '@tanstack/react-router'
import { IconButton } from '../../../ui/controls/button.tsx'
import { writeClipboard } from '../../../ui/controls/copy.tsx'
import { Menu } from '../../../ui/controls/menu.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useChannelsTexts } from '../channels-texts.ts'
import type { ChannelTab } from '../detail/search.ts'

/** Stands above the link of its row. */
export function ChannelMenu({ channel: { id, name } }: { channel: Channel }) {
  const t = useChannelsTexts()
  const u = useUiTexts()
  const navigate = useNavigate()

  function open(tab: ChannelTab): void {
    void navigate({ to: '/channels/$channelId', params: { channelId: id }, search: { tab } })
  }
  return (
    <span className="relative z-10 inline-flex">
      <Menu
        align="end"
        trigger={<IconButton icon="dots" label={t('menu', { name })} />}
        items={[
          { label: t('sendTest'), icon: 'send', onSelect: () => open('test') },
          { label: t('diagnose'), icon: 'activity', onSelect: () => open('diagnostics') },
          { label: t('newLink'), icon: 'link', onSelect: () => open('connect') },
          {
            label: u('copyId'),
            icon: 'copy',
            onSelect: () =>
              void writeClipboard(id).then(
                () => showToast(u('copied')),
                () => undefined,
              ),
          },
          { label: t('delete'), icon: 'trash', isDanger: true, onSelect: () => open('danger') },
        ]}
      />
    </span>
  )
}
