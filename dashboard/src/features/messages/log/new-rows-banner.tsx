import { NewRowsPill } from '../../../ui/table/new-rows-pill.tsx'
import { useMessagesTexts } from '../messages-texts.ts'
import type { Arrivals } from './live-tail.ts'

/** How many messages wait above the list. */
export function NewRowsBanner({ arrivals, onRelease }: { arrivals: Arrivals; onRelease: () => void }) {
  const t = useMessagesTexts()
  const count = arrivals.rows.length
  return (
    <span role="status" className="flex items-center justify-center gap-3 px-4">
      <NewRowsPill onRelease={onRelease}>
        {arrivals.replacement === undefined ? t('newRows', { count }) : t('newRowsAtLeast', { count })}
      </NewRowsPill>
      <span className="text-meta text-text-3 max-tablet:hidden">{t('pausedReading')}</span>
      <span className="hidden text-meta text-text-3 max-tablet:inline">{t('pausedShort')}</span>
    </span>
  )
}
