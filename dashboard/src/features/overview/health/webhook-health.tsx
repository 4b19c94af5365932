import type { Statistics } from '@hubline/sdk/console'
import { QUEUED_MAX } from '../../../api/generated/definitions.gen.ts'
import { useListeners, useListenerTexts } from '../../../api/listeners.ts'
import { formatCount, formatDuration, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useOverviewTexts } from '../overview-texts.ts'
import { HealthFigure, HealthStrip } from './health-strip.tsx'

export function WebhookHealth({ webhooks }: { webhooks: Statistics['webhooks'] }) {
  const t = useOverviewTexts()
  const { success_rate, p95_ms, queued, oldest_seconds } = webhooks
  const listeners = useListeners()
  const l = useListenerTexts()
  return (
    <HealthStrip icon="webhook" link={{ to: '/webhooks' }} linkText={t('webhooks')}>
      {success_rate === null && queued === 0 ? (
        <span className="text-text-3">{t('noAttempts')}</span>
      ) : (
        <>
          <HealthFigure
            value={success_rate === null ? '–' : formatPercent(success_rate)}
            label={t('attemptsSucceeded')}
          />
          <HealthFigure value={p95_ms === null ? '–' : formatDuration(p95_ms)} label={t('p95')} />
          <HealthFigure value={formatCount(queued, QUEUED_MAX)} label={t('queued')} />
          <HealthFigure
            value={oldest_seconds === 0 ? '–' : formatDuration(oldest_seconds * 1000)}
            label={t('oldest')}
          />
        </>
      )}
      {listeners.length > 0 && (
        <HealthFigure value={formatNumber(listeners.length)} label={l('listening', { count: listeners.length })} />
      )}
    </HealthStrip>
  )
}
