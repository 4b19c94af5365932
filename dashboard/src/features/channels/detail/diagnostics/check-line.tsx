import type { Check } from '@hubline/sdk/console'
import { cx } from '../../../../lib/cx.ts'
import { type HubTexts, useHubTexts } from '../../../../lib/hub-texts/hub-texts.ts'
import { ButtonLink } from '../../../../ui/controls/button.tsx'
import { Badge } from '../../../../ui/data/badge.tsx'
import { StatusIcon, useStatusText } from '../../../../ui/data/status.tsx'
import { describeCheck } from './describe-check.ts'
import { useDiagnosticsTexts } from './diagnostics-texts.ts'

const WORDS = { ok: 'text-text-2', warning: 'text-warn', failing: 'text-danger', skipped: 'text-text-3' }
const LINES = { ok: 'not-last:before:bg-accent-line' } as Record<Check['status'], string | undefined>
const NODES = { failing: 'bg-danger-soft' } as Record<Check['status'], string | undefined>
/** A new connection with the channel's link repairs these. */
const RECONNECTED: ReadonlySet<string> = new Set([
  'token_refused',
  'token_of_another_app',
  'token_unreadable',
  'never_connected',
  'number_not_connected',
  'number_of_another_channel',
  'not_subscribed',
  'upstream_refused',
])
const BOXES = {
  warning: { box: 'border-warn/30 bg-warn-soft', title: 'text-warn' },
  failing: { box: 'border-danger/30 bg-danger-soft', title: 'text-danger' },
}

/** The checks in the order in which they depend on each other, with the remedy where one fails. */
export function CheckLine({ channelId, checks }: { channelId: string; checks: readonly Check[] }) {
  const t = useDiagnosticsTexts()
  const statusText = useStatusText()
  const texts = useHubTexts()
  return (
    <ol aria-label={t('checks')}>
      {checks.map((check, position) => (
        <li
          key={check.id}
          className={cx(
            'relative flex gap-4 pb-6 not-last:before:absolute not-last:before:top-8 not-last:before:bottom-1 not-last:before:left-[15px] not-last:before:w-0.5',
            LINES[check.status] ?? 'not-last:before:bg-line-2',
          )}
        >
          <span className={cx('flex size-8 shrink-0 items-center justify-center rounded-full', NODES[check.status])}>
            <StatusIcon status={check.status} size={16} />
          </span>
          <div className="min-w-0 flex-1 pt-1.5">
            <div className="flex flex-wrap items-center gap-2">
              <span className="font-medium text-text">{t(`check.${check.id}`)}</span>
              <Badge isCode>{check.id}</Badge>
              <span className={cx('ml-auto', WORDS[check.status])}>{statusText(check.status)}</span>
            </div>
            <p className={cx('mt-0.5', check.status === 'skipped' && 'text-text-3')}>
              {describeCheck(check, texts).message}
            </p>
            {check.remedy !== null && isFirst(checks, position) && (
              <Remedy channelId={channelId} check={check} texts={texts} />
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** One cause often fails several checks. Its remedy stands at the first of them. */
function isFirst(checks: readonly Check[], position: number): boolean {
  const remedy = checks[position]?.remedy
  return checks.findIndex((check) => check.remedy === remedy) === position
}

function Remedy({ channelId, check, texts }: { channelId: string; check: Check; texts: HubTexts | undefined }) {
  const t = useDiagnosticsTexts()
  const { box, title } = BOXES[check.status === 'failing' ? 'failing' : 'warning']
  return (
    <div className={cx('mt-2 flex flex-wrap items-center gap-3 rounded-card border px-4 py-3', box)}>
      <p className="min-w-48 flex-1">
        <strong className={cx('font-semibold', title)}>{t('remedy')}</strong> {describeCheck(check, texts).remedy}
      </p>
      {check.id === 'endpoints' && (
        <ButtonLink size="bar" icon="webhook" to="/webhooks">
          {t('openWebhooks')}
        </ButtonLink>
      )}
      {RECONNECTED.has(check.reason) && (
        <ButtonLink
          kind="primary"
          size="bar"
          icon="link"
          to="/channels/$channelId"
          params={{ channelId }}
          search={{ tab: 'connect' }}
        >
          {t('newLink')}
        </ButtonLink>
      )}
    </div>
  )
}
