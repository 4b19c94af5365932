import { isObject, toList, toText } from '../../kernel/json/values.ts'

/** The volume of a category in a period; `cost` is null where the upstream names none. */
export type PricingPoint = { category: string; volume: number; cost: number | null }
export type Pricing = { currency: string | null; points: PricingPoint[] }

/** The fields of an account that have the volumes and costs of a period by category. */
export function buildPricingFields({ startSeconds, endSeconds }: { startSeconds: number; endSeconds: number }): string {
  const range = `start(${startSeconds}).end(${endSeconds}).granularity(DAILY)`
  return `id,currency,pricing_analytics.${range}.dimensions(PRICING_CATEGORY).metric_types(COST,VOLUME)`
}

/** An account without messages in the period has no analytics. */
export function readPricing(body: unknown): Pricing | undefined {
  if (!isObject(body) || toText(body.id) === null) return undefined
  const analytics = isObject(body.pricing_analytics) ? toList(body.pricing_analytics.data) : []
  const points = analytics.flatMap((entry) => (isObject(entry) ? toList(entry.data_points) : []))
  return { currency: toText(body.currency), points: points.flatMap((point) => readPoint(point) ?? []) }
}

function readPoint(point: unknown): PricingPoint | undefined {
  if (!isObject(point)) return undefined
  const { volume, cost } = point
  if (!Number.isSafeInteger(volume) || Number(volume) < 0) return undefined
  const isCost = typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
  return { category: toText(point.pricing_category) ?? 'unknown', volume: Number(volume), cost: isCost ? cost : null }
}
