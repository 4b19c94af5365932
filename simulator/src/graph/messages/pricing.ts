import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Phone } from '../model.ts'
import { isWindowOpen } from './window.ts'

/** Invented prices in the account's currency, close to the real ones. */
const RATES: Readonly<Record<string, number>> = {
  marketing: 0.0625,
  marketing_lite: 0.0625,
  utility: 0.008,
  authentication: 0.0315,
  service: 0,
}

/** Templates cost, except utility templates inside an open window. Every other message is a free service message. */
export function buildPricing(
  graph: Graph,
  phone: Phone,
  waId: string,
  templateCategory: string | undefined,
): JsonObject {
  const category = templateCategory?.toLowerCase() ?? 'service'
  const isFree = category === 'service' || (category === 'utility' && isWindowOpen(graph, phone.id, waId))
  const type = isFree ? 'free_customer_service' : 'regular'
  return { billable: !isFree, pricing_model: 'PMP', type, category }
}

export function calculateCost(pricing: JsonObject): number {
  return pricing.type === 'regular' ? (RATES[String(pricing.category)] ?? 0) : 0
}
