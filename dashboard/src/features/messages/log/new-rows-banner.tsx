import { Icon } from '../../../ui/icon.tsx'
import { useMessagesTexts } from '../messages-texts.ts'
import type { Arrivals } from './live-tail.ts'

/** How many messages wait above the list. */
export function NewRowsBanner({ arrivals, onRelease }: { arrivals: Arrivals; onRelease: () => void }) {
  const t = useMessagesTexts()
  const count = arrivals.rows.length
  return (
    <span role="status" className="flex items-center justify-center gap-3 px-4">
      <button
        type="button"
        onClick={onRelease}
        className="touch-target inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full bg-text px-3 font-medium text-surface shadow-2 max-tablet:h-7"
      >
        <Icon name="arrow-up" size={12} />
        {arrivals.replacement === undefined ? t('newRows', { count }) : t('newRowsAtLeast', { count })}
      </button>
      <span className="text-meta text-text-3 max-tablet:hidden">{t('pausedReading')}</span>
      <span className="hidden text-meta text-text-3 max-tablet:inline">{t('pausedShort')}</span>
    </span>
  )
}
