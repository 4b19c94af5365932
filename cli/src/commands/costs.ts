import type { CostReport } from '@hubline/sdk'
import { type Command, readText } from '../command.ts'
import { COST_GROUPINGS } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'
import type { Cell } from '../terminal.ts'

export const costs: Command = {
  name: 'costs',
  summary: 'Estimate what messages cost',
  usage: '[<channel>]',
  options: {
    by: { type: 'string', value: 'group', choices: COST_GROUPINGS, description: 'What the rows are (day by default)' },
    since: { type: 'string', value: 'day', description: 'The first day in UTC (that of the month by default)' },
    until: { type: 'string', value: 'day', description: 'The day after the last one (tomorrow by default)' },
  },
  positionals: { min: 0, max: 1 },
  examples: ['hubline costs --by category', 'hubline costs Padaria --since 2026-11-01 --until 2026-12-01'],

  async run({ connect, isJson, printData, say, table }, { values, positionals: [name] }) {
    const [since, until] = [readText(values, 'since'), readText(values, 'until')]
    const groupBy = (readText(values, 'by') ?? 'day') as CostReport['group_by']
    const hub = await connect()
    const found = await hub.billing.getCosts({
      group_by: groupBy,
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(name !== undefined && { channel_id: await findChannelId(hub, name) }),
    })
    if (isJson) return void printData(found)
    const { costs: report } = found
    say(`From ${report.since} until ${report.until}, days in UTC. Costs are estimates.`)
    const head = [groupBy.toUpperCase(), 'MESSAGES', 'CHARGED', 'WITHOUT RATE', `COST ${report.currency ?? ''}`.trim()]
    const rows = [...report.groups.map((group) => toRow(group.name ?? group.key, group)), toRow('Total', report.total)]
    table(head, report.groups.length === 0 ? [] : rows, 'No messages with a price.')
    if (report.currency === null) say('The hub has no rate card, so it knows volumes and no costs.')
    return undefined
  },
}

function toRow(name: string, { messages, charged, without_rate, cost }: CostReport['total']): Cell[] {
  return [name, String(messages), String(charged), String(without_rate), cost ?? '–']
}
