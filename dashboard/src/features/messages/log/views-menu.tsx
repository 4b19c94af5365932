import { Button } from '../../../ui/controls/button.tsx'
import { Menu } from '../../../ui/controls/menu.tsx'
import { useMessagesTexts } from '../messages-texts.ts'
import type { MessageSearch } from '../search.ts'

const VIEWS = {
  'view.failedToday': { status: 'failed', date: 'today' },
  'view.unknown': { status: 'unknown' },
  'view.inboundToday': { direction: 'inbound', date: 'today' },
  'view.templates': { type: 'template', date: '7d' },
} as const satisfies Record<string, MessageSearch>

/** Filters that are often wanted together. */
export function ViewsMenu({ onChoose }: { onChoose: (search: MessageSearch) => void }) {
  const t = useMessagesTexts()
  const names = Object.keys(VIEWS) as (keyof typeof VIEWS)[]
  return (
    <Menu
      align="end"
      trigger={<Button icon="bookmark">{t('views')}</Button>}
      items={names.map((name) => ({ label: t(name), onSelect: () => onChoose(VIEWS[name]) }))}
    />
  )
}
