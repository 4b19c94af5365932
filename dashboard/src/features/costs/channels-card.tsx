import type { Channel, CostGroup, CostReport } from '@hubline/sdk'
import { useState } from 'react'
import { useRefusal } from '../../api/permissions.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { type Column, CUT_ON_PHONES } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { BudgetShare } from './budget-share.tsx'
import { useCostsTexts } from './costs-texts.ts'
import { countMinorUnits, formatAmount } from './money.ts'

/** Shows the cost of each channel beside its budget. Deleted channels have none. */
export function ChannelsCard({ report, channels }: { report: CostReport; channels: readonly Channel[] }) {
  const t = useCostsTexts()
  const refusal = useRefusal('channels:write')
  const [edited, setEdited] = useState<Channel>()
  const { currency } = report
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const columns: Column<CostGroup>[] = [
    {
      id: 'name',
      header: t('channel'),
      className: CUT_ON_PHONES,
      cell: ({ key, name }) => <span className="block truncate text-text">{name ?? key}</span>,
    },
    { id: 'messages', header: t('messages'), isNumber: true, cell: ({ messages }) => formatNumber(messages) },
  ]
  if (currency !== null) {
    columns.push(
      {
        id: 'average',
        header: t('average'),
        isNumber: true,
        from: 'desktop',
        cell: ({ messages, cost }) => formatAmount(Number(cost) / messages, currency, 4),
      },
      {
        id: 'budget',
        header: t('budget'),
        isNumber: true,
        from: 'tablet',
        cell: ({ key, cost }) => {
          const channel = byId.get(key)
          if (!channel) return '–'
          const budget = channel.monthly_budget
          return (
            <span className="inline-flex items-center justify-end gap-3">
              {budget !== null && (
                <BudgetShare cost={Number(cost)} budget={budget / countMinorUnits(currency)} currency={currency} />
              )}
              <Button
                size="bar"
                kind="quiet"
                disabled={refusal !== undefined}
                title={refusal}
                aria-label={t(budget === null ? 'setBudgetOf' : 'changeBudget', { name: channel.name })}
                onClick={() => setEdited(channel)}
              >
                {t(budget === null ? 'setBudget' : 'change')}
              </Button>
            </span>
          )
        },
      },
    )
  }
  columns.push({
    id: 'cost',
    header: t('cost'),
    isNumber: true,
    cell: ({ cost }) => (
      <span className="font-medium text-text">
        {cost === null || currency === null ? '–' : formatAmount(Number(cost), currency)}
      </span>
    ),
  })
  return (
    <Card
      title={t('byChannel')}
      aside={currency !== null && <span className="text-text-3">{t('eventAt', { event: 'cost.budget_reached' })}</span>}
    >
      <Table label={t('byChannel')} columns={columns} rows={report.groups} rowKey={({ key }) => key} />
      {edited && currency !== null && (
        <BudgetDialog channel={edited} currency={currency} onClose={() => setEdited(undefined)} />
      )}
    </Card>
  )
}
