import type { Channel, CostReport } from '@hubline/sdk'
import type { ReactNode } from 'react'
import { formatDay, formatNumber } from '../../lib/format.ts'
import { StackedBars } from '../../ui/charts/stacked-bars.tsx'
import { Card } from '../../ui/data/card.tsx'
import { useCostsTexts } from './costs-texts.ts'
import { buildLayers, OTHERS, toValue } from './layers.ts'
import { countMinorUnits, formatAmount } from './money.ts'
import { type Month, projectMonth } from './month.ts'

type SummaryCardProps = { report: CostReport; month: Month; channels: readonly Channel[] }

/** The month in three figures, and by day and category. `channels` are those that the figures are of. */
export function SummaryCard({ report, month, channels }: SummaryCardProps) {
  const t = useCostsTexts()
  const { currency, total } = report
  const format = (value: number) => (currency === null ? formatNumber(value) : formatAmount(value, currency))
  const value = toValue(total)
  const pace = projectMonth(value, month)
  const budgeted = channels.filter(({ monthly_budget }) => monthly_budget !== null)
  const sum = budgeted.reduce((all, { monthly_budget }) => all + (monthly_budget ?? 0), 0)
  const budget = currency === null || sum === 0 ? undefined : sum / countMinorUnits(currency)
  const perDay = budget === undefined ? undefined : budget / month.days.length
  // If some channels have no budget, the sum of the others says nothing.
  const isWhole = budget !== undefined && budgeted.length === channels.length
  const missing = isWhole ? (pace ?? value) - budget : 0
  const layers = buildLayers(report.groups, month.days).map(({ category, ...layer }) => ({
    ...layer,
    name: category === OTHERS ? t('others') : category,
  }))
  return (
    <Card>
      <dl className="mb-4 flex flex-wrap gap-x-8 gap-y-3 border-b border-line pb-4">
        <Figure name={pace === null ? t('total') : t('soFar')}>{format(value)}</Figure>
        {pace !== null && (
          <Figure name={t('pace', { date: formatDay(month.days.at(-1) ?? month.since, { timeZone: 'UTC' }) })}>
            {format(Math.round(pace))}
          </Figure>
        )}
        {budget !== undefined && currency !== null && (
          <Figure name={t('budgets', { count: budgeted.length })}>
            {format(budget)}
            {missing > 0 && (
              <span className="ml-2 text-base font-medium text-warn">
                {t('short', { amount: formatAmount(Math.round(missing), currency, 0) })}
              </span>
            )}
          </Figure>
        )}
      </dl>
      <StackedBars
        title={t('chart')}
        label={t(currency === null ? 'chartLabelMessages' : 'chartLabel')}
        periods={month.days.map((day) => String(Number(day.slice(-2))))}
        layers={layers}
        format={format}
        isWide
        mark={
          perDay === undefined || !isWhole
            ? undefined
            : { value: perDay, label: t('budgetPerDay', { amount: format(perDay) }) }
        }
      />
    </Card>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-text-3">{name}</dt>
      <dd className="text-page font-semibold text-text tabular-nums">{children}</dd>
    </div>
  )
}
