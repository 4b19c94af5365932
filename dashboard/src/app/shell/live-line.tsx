import { cx } from '../../lib/cx.ts'
import { useLiveState } from '../../live/live.ts'
import { useShellTexts } from './shell-texts.ts'

/** Whether what the pages show is of this moment. */
export function LiveLine() {
  const t = useShellTexts()
  const state = useLiveState()
  return (
    <p
      role="status"
      className="flex h-7 items-center gap-2 px-2 text-meta text-text-2 max-desktop:justify-center max-desktop:px-0"
    >
      <span
        aria-hidden="true"
        className={cx('size-2 shrink-0 rounded-full', state === 'live' ? 'bg-ok' : 'border-2 border-warn-mark')}
      />
      <span className="max-desktop:sr-only">{t(state)}</span>
    </p>
  )
}
