import type { Clock } from '../../../kernel/clock.ts'
import { toCsvLine } from '../../../kernel/csv.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { RateCards } from '../rates/rate-card.ts'
import { sumCosts, toCostFigures } from './cost-sum.ts'
import { parsePeriod } from './period.ts'
import type { CostGroup, CostOfCategory, CostReport, CostsQuery } from './schemas.ts'
import * as store from './store.ts'

type Dependencies = { sql: Pool; now: Clock; rateCards: RateCards | undefined }

export type CostReports = ReturnType<typeof createCostReports>

/** Estimates the cost of an organization's messages by the operator's rate card. */
export function createCostReports({ sql, now, rateCards }: Dependencies) {
  const cardDays = rateCards?.cards.map(({ validFrom }) => validFrom) ?? []

  return {
    async read(organizationId: string, query: CostsQuery): Promise<CostReport> {
      const { since, until } = parsePeriod(query, now())
      const groupBy = query.group_by
      const channelId = query.channel_id?.toLowerCase() ?? null
      if (channelId !== null && !(await store.channelExists(sql, { organizationId, id: channelId }))) {
        throw notFound('channel_not_found')
      }
      const rows = await store.sumVolumes(sql, { organizationId, channelId, groupBy, since, until, cardDays })
      return {
        since,
        until,
        group_by: groupBy,
        currency: rateCards?.currency ?? null,
        rate_card_from: cardDays.findLast((day) => day < until) ?? null,
        groups: toGroups(rows, groupBy, rateCards),
        total: toCostFigures(sumCosts(rows, rateCards), rateCards),
      }
    },
  }
}

function toGroups(
  rows: readonly store.VolumeRow[],
  groupBy: CostReport['group_by'],
  rateCards: RateCards | undefined,
): CostGroup[] {
  const groups = [...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => ({
    key,
    name: own[0]?.name ?? null,
    ...toCostFigures(sumCosts(own, rateCards), rateCards),
    categories: toCategories(own, rateCards),
  }))
  const byKey = (a: CostGroup, b: CostGroup) => (a.key < b.key ? -1 : 1)
  return groups.sort((a, b) => (groupBy === 'day' ? byKey(a, b) : b.messages - a.messages || byKey(a, b)))
}

function toCategories(rows: readonly store.VolumeRow[], rateCards: RateCards | undefined): CostOfCategory[] {
  const categories = [...Map.groupBy(rows, ({ category }) => category)].map(([category, own]) => ({
    category,
    ...toCostFigures(sumCosts(own, rateCards), rateCards),
  }))
  return categories.sort((a, b) => b.messages - a.messages || (a.category < b.category ? -1 : 1))
}

const FIGURES: Record<string, (group: CostGroup) => string | number | null> = {
  messages: ({ messages }) => messages,
  charged: ({ charged }) => charged,
  without_rate: ({ without_rate }) => without_rate,
  cost: ({ cost }) => cost,
}

/** The groups as lines, with the currency in each. */
export function toCostCsv({ group_by, currency, groups }: CostReport): string {
  const isByChannel = group_by === 'channel'
  const keys = isByChannel ? ['channel_id', 'channel_name'] : [group_by]
  const head = [...keys, ...Object.keys(FIGURES), 'currency']
  const lines = groups.map((group) => [
    ...(isByChannel ? [group.key, group.name] : [group.key]),
    ...Object.values(FIGURES).map((read) => read(group)),
    group.cost === null ? null : currency,
  ])
  return [head, ...lines].map(toCsvLine).join('')
}
