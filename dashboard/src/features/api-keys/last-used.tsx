import { formatAge } from '../../lib/format.ts'
import { Age, useNow } from '../../ui/data/time.tsx'
import { useApiKeysTexts } from './api-keys-texts.ts'

/** Shows when a key was last used; the hub writes it once a minute at most. */
export function LastUsed({ at }: { at: string | null }) {
  const t = useApiKeysTexts()
  return at === null ? t('never') : <Age at={at} />
}

export function useAge(at: string | null): string {
  const now = useNow(10_000)
  return at === null ? '' : formatAge(now - Date.parse(at))
}
