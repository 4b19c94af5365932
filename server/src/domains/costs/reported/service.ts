import type { Clock } from '../../../kernel/clock.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { PricingPoint } from '../../../upstream/resources/pricing-analytics.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { ChannelConnections } from '../../channels/connection/service.ts'
import { type Amount, countMinorDigits, formatAmount, parseAmount } from '../rates/amounts.ts'
import { type CostPeriod, parsePeriod } from '../report/period.ts'
import type { ReportedCosts, ReportedCostsQuery } from './schemas.ts'

/** The digits that the upstream's numbers have, beyond which they are rounding of its own. */
const DIGITS = 8

type Dependencies = { now: Clock; upstream: Upstream; connections: ChannelConnections }

export type CostsOfAccounts = ReturnType<typeof createCostsOfAccounts>

/** The upstream's own report of the account of a channel, with all of its numbers and what other programs sent. */
export function createCostsOfAccounts({ now, upstream, connections }: Dependencies) {
  return {
    async read(organizationId: string, channelId: string, query: ReportedCostsQuery): Promise<ReportedCosts> {
      const period = parsePeriod(query, now())
      const { token, wabaId } = await connections.credential(organizationId, channelId)
      const result = await upstream.accounts.readPricing(token, wabaId, {
        startSeconds: Date.parse(period.since) / 1000,
        endSeconds: Math.floor(
          Math.min(Date.parse(period.until), Math.max(now().getTime(), toNextSecond(period.since))) / 1000,
        ),
      })
      if (result.ok) return toReportedCosts(period, result.value)
      const { failure } = result
      if (failure.kind !== 'refused' || failure.isCredentialRefused) {
        return connections.fail({ organizationId, id: channelId }, token, failure)
      }
      return toRefusal(period, failure)
    },
  }
}

/** A period that has not begun is empty. */
function toNextSecond(day: string): number {
  return Date.parse(day) + 1000
}

function toRefusal(period: CostPeriod, { code, title, message }: UpstreamFailure): ReportedCosts {
  return {
    ...period,
    is_available: false,
    reason: { code, title: title ?? message },
    currency: null,
    categories: [],
    total: { messages: 0, cost: null },
  }
}

type Figures = ReportedCosts['total']

function toReportedCosts(
  period: CostPeriod,
  { currency, points }: { currency: string | null; points: PricingPoint[] },
): ReportedCosts {
  const digits = currency === null ? 2 : countMinorDigits(currency)
  const categories = [...Map.groupBy(points, ({ category }) => category.toLowerCase())].map(([category, own]) => ({
    category,
    ...sum(own, digits),
  }))
  return {
    ...period,
    is_available: true,
    reason: null,
    currency,
    categories: categories.sort((a, b) => b.messages - a.messages || (a.category < b.category ? -1 : 1)),
    total: sum(points, digits),
  }
}

/** Null where a point lacks its cost: a part of the sum would look like the whole. */
function sum(points: readonly PricingPoint[], digits: number): Figures {
  const messages = points.reduce((total, { volume }) => total + volume, 0)
  const costs = points.map(({ cost }) => (cost === null ? undefined : parseAmount(cost.toFixed(DIGITS))))
  const isWhole = costs.every((cost) => cost !== undefined)
  const total = costs.reduce<Amount>((all, cost) => all + (cost ?? 0n), 0n)
  return { messages, cost: isWhole ? formatAmount(total, digits) : null }
}
