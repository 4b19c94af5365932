import type { JsonObject } from '../json.ts'
import type { Graph } from './context.ts'
import type { Phone } from './model.ts'
import { isWindowOpen, relationOf } from './window.ts'

/** Invented prices in the account's currency: near the real ones, so that reports look right. */
const RATES: Readonly<Record<string, number>> = {
  marketing: 0.0625,
  utility: 0.008,
  authentication: 0.0315,
  service: 0,
}

/**
 * Marketing and authentication always cost; utility is free inside an open
 * window; everything that is not a template is service, which is free; after
 * an advertisement everything is free for three days.
 */
export function pricingOf(graph: Graph, phone: Phone, waId: string, templateCategory: string | undefined): JsonObject {
  const category = templateCategory?.toLowerCase() ?? 'service'
  const isFreeEntry = graph.clock.now() < relationOf(graph, phone.id, waId).freeEntryUntil
  const isFreeService = category === 'service' || (category === 'utility' && isWindowOpen(graph, phone.id, waId))
  const type = isFreeEntry ? 'free_entry_point' : isFreeService ? 'free_customer_service' : 'regular'
  return {
    billable: type === 'regular',
    pricing_model: 'PMP',
    type,
    category: isFreeEntry ? 'referral_conversion' : category,
  }
}

export function costOf(pricing: JsonObject): number {
  return pricing.type === 'regular' ? (RATES[String(pricing.category)] ?? 0) : 0
}
