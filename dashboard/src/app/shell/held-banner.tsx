import { useHeld } from '../../api/probes.ts'
import { useGoneSince } from '../../live/live.ts'
import { Notice } from '../../ui/states/notice.tsx'
import { useShellTexts } from './shell-texts.ts'

/** On every page, while the hub is on hold. */
export function HeldBanner() {
  const t = useShellTexts()
  const isGone = useGoneSince() !== undefined
  if (!useHeld(!isGone)) return null
  return (
    <div className="px-8 py-4 max-tablet:px-4 max-tablet:py-2">
      <Notice tone="warn" title={t('held')}>
        {t('heldText')}
      </Notice>
    </div>
  )
}
