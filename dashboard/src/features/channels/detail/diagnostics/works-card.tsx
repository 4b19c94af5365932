import type { Check } from '@hubline/sdk/console'
import { Card } from '../../../../ui/data/card.tsx'
import { StatusIcon, useStatusText } from '../../../../ui/data/status.tsx'
import { useDiagnosticsTexts } from './diagnostics-texts.ts'

const ABILITIES = {
  sending: ['token', 'number'],
  receiving: ['number', 'subscription', 'webhook_signature'],
  updates: ['subscription', 'webhook_signature'],
  delivery: ['endpoints'],
} as const satisfies Record<string, readonly Check['id'][]>

const BY_GRAVITY = ['failing', 'warning', 'skipped', 'ok'] as const

/** An ability is as good as the worst check that it needs. A check without a finding does not speak against it. */
function judge(checks: readonly Check[], needed: readonly Check['id'][]): Check['status'] {
  const statuses = checks.filter(({ id }) => needed.includes(id)).map(({ status }) => status)
  const counted = statuses.some((status) => status !== 'skipped')
    ? statuses.filter((status) => status !== 'skipped')
    : statuses
  return BY_GRAVITY.find((status) => counted.includes(status)) ?? 'skipped'
}

/** The first question of a person whose channel has trouble. */
export function WorksCard({ checks }: { checks: readonly Check[] }) {
  const t = useDiagnosticsTexts()
  const statusText = useStatusText()
  return (
    <Card title={t('works')}>
      <ul className="flex flex-col gap-2">
        {(Object.keys(ABILITIES) as (keyof typeof ABILITIES)[]).map((name) => {
          const status = judge(checks, ABILITIES[name])
          return (
            <li key={name} className="flex items-center gap-2">
              <StatusIcon status={status} />
              <span className={status === 'failing' ? 'text-danger' : 'text-text'}>{t(`works.${name}`)}</span>
              <span className="ml-auto text-meta text-text-3">{statusText(status)}</span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
