import type { CostGroup, CostReport } from '@hubline/sdk'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/data/card.tsx'
import { type Column, CUT_ON_PHONES } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { useCostsTexts } from './costs-texts.ts'
import { formatAmount } from './money.ts'

type GroupCardProps = { title: string; name: string; report: CostReport; label: (key: string) => string }

/** Groups with their messages and their estimate. */
export function GroupCard({ title, name, report, label }: GroupCardProps) {
  const t = useCostsTexts()
  const { currency } = report
  const columns: Column<CostGroup>[] = [
    {
      id: 'name',
      header: name,
      className: CUT_ON_PHONES,
      cell: ({ key }) => <span className="text-text">{label(key)}</span>,
    },
    { id: 'messages', header: t('messages'), isNumber: true, cell: ({ messages }) => formatNumber(messages) },
    {
      id: 'cost',
      header: t('cost'),
      isNumber: true,
      cell: ({ cost }) => (
        <span className="font-medium text-text">
          {cost === null || currency === null ? '–' : formatAmount(Number(cost), currency)}
        </span>
      ),
    },
  ]
  return (
    <Card title={title}>
      <Table label={title} columns={columns} rows={report.groups} rowKey={({ key }) => key} />
    </Card>
  )
}
