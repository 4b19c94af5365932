import type { CostReport } from '@hubline/sdk'
import { type Command, readText } from '../command.ts'
import { COST_GROUPINGS } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'
import type { Cell } from '../terminal.ts'

export const costs: Command = {
  name: 'costs',
  summary: 'Estimate the cost of messages',
  usage: '[<channel>]',
  options: {
    by: {
      type: 'string',
      value: 'group',
      choices: COST_GROUPINGS,
      description: 'Group the messages by this (day by default)',
    },
    since: { type: 'string', value: 'day', description: 'The first day, in UTC (the first of the month by default)' },
    until: { type: 'string', value: 'day', description: 'The day after the last day (tomorrow by default)' },
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
    say(`From ${report.since} until ${report.until} (UTC). Costs are estimates.`)
    const head = [groupBy.toUpperCase(), 'MESSAGES', 'CHARGED', 'WITHOUT RATE', `COST ${report.currency ?? ''}`.trim()]
    const rows = [...report.groups.map((group) => toRow(group.name ?? group.key, group)), toRow('Total', report.total)]
    table(head, report.groups.length === 0 ? [] : rows, 'No messages with a price.')
    if (report.currency === null) say('The hub has no rate card, so only volumes are shown.')
    return undefined
  },
}

function toRow(name: string, { messages, charged, without_rate, cost }: CostReport['total']): Cell[] {
  return [name, String(messages), String(charged), String(without_rate), cost ?? '–']
}
