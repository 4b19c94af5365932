import { formatDuration, formatMoment, formatUtc } from '../../lib/format.ts'
import { useNow } from '../../ui/data/time.tsx'
import { useApiKeysTexts } from './api-keys-texts.ts'

/** How long ago a key was used; the hub writes it once a minute at most. */
export function LastUsed({ at }: { at: string | null }) {
  const t = useApiKeysTexts()
  const age = useAge(at)
  if (at === null) return t('never')
  return (
    <time dateTime={at} title={`${formatMoment(at, 'second')} (${formatUtc(at)})`} className="whitespace-nowrap">
      {t('ago', { age })}
    </time>
  )
}

export function useAge(at: string | null): string {
  const now = useNow(10_000)
  return at === null ? '' : formatDuration(Math.max(1000, now - Date.parse(at)))
}
