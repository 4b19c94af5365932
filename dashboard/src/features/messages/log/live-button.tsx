import { cx } from '../../../lib/cx.ts'
import { useLiveState } from '../../../live/live.ts'
import { useMessagesTexts } from '../messages-texts.ts'

/** Turns the live tail on and off, and says whether its stream is open. */
export function LiveButton({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const t = useMessagesTexts()
  const state = useLiveState()
  const isOpen = state === 'live'
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className={cx(
        'touch-target inline-flex h-8 shrink-0 items-center gap-1.5 rounded-control border px-3 font-medium',
        isOn ? 'border-accent-line bg-accent-soft text-accent' : 'border-line-2 bg-surface text-text-2 shadow-1',
      )}
    >
      <span
        aria-hidden="true"
        className={cx('size-2 rounded-full', isOn && isOpen ? 'bg-accent' : 'border-2 border-current')}
      />
      {isOn ? (isOpen || state === 'connecting' ? t('live') : t('reconnecting')) : t('livePaused')}
    </button>
  )
}
