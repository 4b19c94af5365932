import type { HubError } from '@hubline/sdk'
import { useState } from 'react'
import { formatDuration } from '../../lib/format.ts'
import { useNow } from '../../ui/data/time.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { useAuthTexts } from './auth-texts.ts'

/** Counts down to the moment at which another attempt is let in. */
export function RateLimitNotice({ error }: { error: HubError }) {
  const t = useAuthTexts()
  const now = useNow()
  const [since] = useState(Date.now())
  const left = Math.max(0, since + (error.retryAfterSeconds ?? 60) * 1000 - now)
  if (left === 0) return null
  return <Notice tone="warn" icon="clock" title={t('limited', { time: formatDuration(left) })} />
}
