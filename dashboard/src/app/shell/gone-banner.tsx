import { formatClock, formatTimeLeft } from '../../lib/format.ts'
import { retryNow, useGoneSince, useNextTry } from '../../live/live.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useNow } from '../../ui/data/time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShellTexts } from './shell-texts.ts'

/** On every page, while the hub does not answer. */
export function GoneBanner() {
  const since = useGoneSince()
  return since === undefined ? null : <Gone since={since} />
}

function Gone({ since }: { since: number }) {
  const t = useShellTexts()
  const nextTry = useNextTry()
  const left = (nextTry ?? 0) - useNow()
  return (
    <div className="flex items-center gap-3 border-b border-danger/30 bg-danger-soft px-8 py-2 max-tablet:flex-wrap max-tablet:px-4">
      <Icon name="server" size={16} className="text-danger" />
      <p role="alert" className="min-w-0 flex-1 text-text-2 max-tablet:basis-4/5">
        <strong className="font-semibold text-danger">{t('goneSince', { at: formatClock(new Date(since)) })}</strong>{' '}
        {t('goneText')}
      </p>
      <span className="text-meta text-text-2 tabular-nums">
        {left > 0 ? t('nextTry', { time: formatTimeLeft(left) }) : t('trying')}
      </span>
      <Button icon="refresh" onClick={retryNow}>
        {t('tryNow')}
      </Button>
    </div>
  )
}
