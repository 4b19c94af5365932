import type { Clock } from '../../../kernel/clock.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { Publish } from '../../webhooks/publishing/service.ts'
import { type Amount, toMinorUnits } from '../rates/amounts.ts'
import type { RateCards } from '../rates/rate-card.ts'
import { sumCosts } from '../report/cost-sum.ts'
import { RETENTION_DAYS } from '../volumes/retention-days.ts'
import type { BudgetEventData } from './schemas.ts'
import * as store from './store.ts'
import { listReached } from './thresholds.ts'

const CHECK_BATCH_SIZE = 500
const DELETE_BATCH_SIZE = 5000

/** For the statement that folds volumes. */
export const { buildCheckInsert } = store

type Dependencies = { sql: Pool; now: Clock; rateCards: RateCards | undefined; publish: Publish }

export type Budgets = ReturnType<typeof createBudgets>

/** Announces when a channel reaches parts of its monthly budget. */
export function createBudgets({ sql, now, rateCards, publish }: Dependencies) {
  const cardDays = rateCards?.cards.map(({ validFrom }) => validFrom) ?? []

  async function findReached(tx: Tx, months: store.ChannelMonth[], cards: RateCards): Promise<Reached[]> {
    const volumes = await store.listVolumes(tx, { months, cardDays })
    const channels = new Map((await store.listBudgeted(tx, months)).map((channel) => [channel.id, channel]))
    const byMonth = Map.groupBy(volumes, ({ channel_id, month }) => toKey(channel_id, month))
    return months.flatMap((month) => {
      const channel = channels.get(month.channelId)
      if (!channel) return []
      const { cost } = sumCosts(byMonth.get(toKey(month.channelId, month.month)) ?? [], cards)
      const reached = listReached(cost, channel.monthly_budget, cards.minorDigits)
      return reached.map((percent) => ({ ...month, percent, channel, cost }))
    })
  }

  /** If several processes find the same, the one that records it announces it. */
  async function checkBatch(): Promise<number> {
    return sql.begin(async (tx) => {
      const { taken, months } = await store.takeChecks(tx, CHECK_BATCH_SIZE)
      if (!rateCards || months.length === 0) return taken
      const reached = await findReached(tx, months, rateCards)
      if (reached.length === 0) return taken
      const recorded = new Set(
        (await store.insertAlerts(tx, reached)).map(
          ({ channel_id, month, percent }) => `${toKey(channel_id, month)} ${percent}`,
        ),
      )
      const isRecorded = (one: Reached) => recorded.has(`${toKey(one.channelId, one.month)} ${one.percent}`)
      const announced = reached.filter(isRecorded)
      await publish(
        tx,
        announced.map((one) => toEvent(one, rateCards, now())),
      )
      return taken
    })
  }

  return {
    /** Joins the caller's transaction, which has changed the budget. */
    requestCheck: store.insertCheck,

    async check(): Promise<void> {
      while ((await checkBatch()) === CHECK_BATCH_SIZE);
    },

    async deleteOld(): Promise<void> {
      const batch = { days: RETENTION_DAYS, limit: DELETE_BATCH_SIZE }
      while ((await store.deleteOldAlerts(sql, batch)) === DELETE_BATCH_SIZE);
    },
  }
}

type Reached = store.Alert & { channel: store.BudgetedChannel; cost: Amount }

function toEvent({ channel, month, percent, cost }: Reached, cards: RateCards, now: Date): NewEvent {
  const { organization_id: organizationId, monthly_budget: _, ...shown } = channel
  const amount = Number(toMinorUnits(cost, cards.minorDigits))
  const data: BudgetEventData = { channel: shown, percent, amount, currency: cards.currency }
  const occurredAt = findTimeWithin(month, now).toISOString()
  return { organizationId, channelId: channel.id, kind: 'cost.budget_reached', occurredAt, data }
}

/** A late status may belong to a month that is over: its event is one of that month. */
function findTimeWithin(month: string, now: Date): Date {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Math.min(now.getTime(), Date.UTC(year, number) - 1))
}

function toKey(channelId: string, month: string): string {
  return `${channelId} ${month}`
}
