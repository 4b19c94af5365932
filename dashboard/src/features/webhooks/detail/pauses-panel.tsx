import type { Pause, Webhook } from '@hubline/sdk/console'
import { writeCurl } from '../../../lib/api-example.ts'
import { cx } from '../../../lib/cx.ts'
import { formatDuration } from '../../../lib/format.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { useNow } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'
import { toMessageLog, writeCause, writeCount, writeEnd, writePauseTimes } from './pause-row.tsx'

/** The newest pauses as a line with stops, and where their events are. */
export function PausesPanel({ pauses, webhook }: { pauses: readonly Pause[]; webhook: Webhook }) {
  const t = useWebhooksTexts()
  const newest = pauses[0]
  if (newest === undefined) return null
  const [channelId] = webhook.channel_ids
  return (
    <aside
      aria-label={t('pauses')}
      className="flex w-80 shrink-0 flex-col gap-4 overflow-y-auto border-l border-line p-6 max-desktop:hidden"
    >
      <header className="flex items-baseline justify-between gap-2">
        <h2 className="text-section font-semibold text-text">{t('pauses')}</h2>
        <span className="text-meta text-text-3">{t('pausesNewest')}</span>
      </header>
      <ol>
        {pauses.map((pause) => (
          <PauseStop key={pause.from} pause={pause} />
        ))}
      </ol>
      <section className="flex flex-col items-start gap-2 rounded-card border border-warn/30 bg-warn-soft p-4">
        <h3 className="flex items-center gap-2 font-semibold text-warn">
          <Icon name="alert" size={16} />
          {t('pausedStay')}
        </h3>
        <p className="text-text-2">{t('pausedStayText')}</p>
        <span className="flex flex-wrap gap-2">
          <ButtonLink size="bar" {...toMessageLog(newest, webhook)}>
            {t('messageLog')}
          </ButtonLink>
          {channelId !== undefined && (
            <CopyTextButton
              label={t('copyCall')}
              text={writeCurl({
                method: 'GET',
                path: `/api/v1/channels/${channelId}/messages?since=${newest.from}${newest.to === null ? '' : `&until=${newest.to}`}`,
              })}
            />
          )}
        </span>
      </section>
    </aside>
  )
}

function PauseStop({ pause }: { pause: Pause }) {
  const t = useWebhooksTexts()
  const now = useNow(10_000)
  const isOpen = pause.to === null
  const lasted = (pause.to === null ? now : Date.parse(pause.to)) - Date.parse(pause.from)
  const end = writeEnd(pause, t)
  return (
    <li className="relative flex gap-3 pb-4 not-last:before:absolute not-last:before:top-5 not-last:before:bottom-0 not-last:before:left-[7px] not-last:before:w-px not-last:before:bg-line">
      <span
        aria-hidden="true"
        className={cx(
          'mt-0.5 size-4 shrink-0 rounded-full border-2',
          isOpen ? 'border-danger bg-danger-soft' : 'border-ctl bg-surface',
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-3 font-medium text-text">
          <span>{writePauseTimes(pause, t)}</span>
          <span>{writeCount(pause) ?? '–'}</span>
        </p>
        <p className="flex justify-between gap-3 text-meta text-text-3">
          <span>{formatDuration(Math.max(1000, Math.floor(lasted / 1000) * 1000))}</span>
          <span className="text-right">{writeCause(pause, t)}</span>
        </p>
        {end !== undefined && <p className="text-meta text-text-3">{end}</p>}
      </div>
    </li>
  )
}
