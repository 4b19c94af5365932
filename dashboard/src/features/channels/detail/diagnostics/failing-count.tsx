import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../../ui/data/badge.tsx'
import { useDetailTexts } from '../detail-texts.ts'
import { diagnosticsQuery } from './diagnostics-query.ts'

/** Shows the number of checks that failed in the last run, if there was one. */
export function FailingCount({ channelId }: { channelId: string }) {
  const t = useDetailTexts()
  const { data } = useQuery({ ...diagnosticsQuery(channelId), enabled: false })
  const count = data?.checks.filter(({ status }) => status === 'failing').length ?? 0
  if (count === 0) return null
  return (
    <Badge tone="danger">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{t('failing', { count })}</span>
    </Badge>
  )
}
