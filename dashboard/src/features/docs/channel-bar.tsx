import { Button } from '../../ui/controls/button.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useDocsTexts } from './docs-texts.ts'
import { chooseChannel, useReader } from './reader.tsx'

/** Says whose ids are in the examples. The key is always a placeholder: no page shows one again. */
export function ChannelBar({ variable = 'HUBLINE_KEY' }: { variable?: string }) {
  const t = useDocsTexts()
  const { isSignedIn, channels, channel } = useReader()
  const key = <code className="font-mono text-meta text-text">${variable}</code>
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 rounded-control border border-line bg-bg px-3 py-1.5">
      <Icon name="phone" size={14} className="text-text-3" />
      {isSignedIn && channels.length === 0 ? (
        <span>{t('noChannels')}</span>
      ) : (
        <>
          <span>{t('examplesUse')}</span>
          {channel ? (
            <Menu
              trigger={
                <Button size="bar">
                  <span className="sr-only">{t('chooseChannel')}: </span>
                  <span className="max-w-56 truncate text-accent">{channel.name}</span>
                  <Icon name="chevron-down" size={12} className="text-text-3" />
                </Button>
              }
              items={channels.map(({ id, name }) => ({
                label: name,
                isChecked: id === channel.id,
                onSelect: () => chooseChannel(id),
              }))}
            />
          ) : (
            <code className="font-mono text-meta text-text">{'{channel_id}'}</code>
          )}
        </>
      )}
      <span>{t('yourKeyAs')}</span>
      {key}
    </div>
  )
}
