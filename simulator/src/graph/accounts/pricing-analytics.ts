import type { Json, JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { invalid, required } from '../http/errors.ts'
import { type Field, parseModifierList } from '../http/fields.ts'
import { calculateCost } from '../messages/pricing.ts'
import { type Account, DAY_MS, type Message } from '../model.ts'

const STEP_SECONDS: Readonly<Record<string, number>> = { HALF_HOUR: 1_800, DAILY: 86_400, MONTHLY: 2_592_000 }
const LOOKBACK_MS = 366 * DAY_MS
const MODIFIERS = ['start', 'end', 'granularity', 'dimensions', 'metric_types']
const METRICS = ['COST', 'VOLUME']

type Dimension = (message: Message) => [member: string, value: Json]

const DIMENSIONS: Readonly<Record<string, Dimension>> = {
  COUNTRY: (message) => ['country', message.country],
  PRICING_CATEGORY: (message) => ['pricing_category', String(message.pricing.category).toUpperCase()],
  PRICING_TYPE: (message) => ['pricing_type', String(message.pricing.type).toUpperCase()],
  TIER: () => ['tier', '0:750000'],
}

/** Counts delivered messages by period and by the requested dimensions. */
export function pricingAnalytics(graph: Graph, account: Account, field: Field): Json {
  const { start, end, step, dimensions, metrics } = parseQuery(graph, field)
  const points = new Map<string, JsonObject & { volume: number; cost: number }>()
  for (const message of graph.state.messages.values()) {
    const second = Math.floor(message.at / 1_000)
    if (second < start || second >= end || !isCharged(graph, account, message)) continue
    const from = start + Math.floor((second - start) / step) * step
    const labels = Object.fromEntries(dimensions.map((dimension) => dimension(message)))
    const key = JSON.stringify([from, labels])
    const point = points.get(key) ?? { start: from, end: from + step, ...labels, volume: 0, cost: 0 }
    point.volume += 1
    point.cost += calculateCost(message.pricing)
    points.set(key, point)
  }
  const shown = [...points.values()].map(({ volume, cost, ...point }) => ({
    ...point,
    volume: metrics.includes('VOLUME') ? volume : undefined,
    cost: metrics.includes('COST') ? Number(cost.toFixed(4)) : undefined,
  }))
  return { data: [{ data_points: shown }] }
}

function isCharged(graph: Graph, account: Account, message: Message): boolean {
  const isOwn = graph.state.phones.get(message.phoneId)?.wabaId === account.id
  const arrived = message.statuses.includes('delivered') || message.statuses.includes('read')
  return isOwn && message.direction === 'outbound' && arrived
}

function parseQuery(graph: Graph, { modifiers }: Field) {
  const unknown = [...modifiers.keys()].find((name) => !MODIFIERS.includes(name))
  if (unknown) throw invalid(`Unknown modifier ${unknown} on field pricing_analytics`)
  const [start, end] = ['start', 'end'].map((name) => parseSeconds(name, modifiers.get(name)))
  const step = STEP_SECONDS[parseModifierList(modifiers.get('granularity'))[0] ?? '']
  if (start === undefined || end === undefined || end <= start) throw invalid('Param end must be after start')
  if (start * 1_000 < graph.clock.now() - LOOKBACK_MS) throw invalid('Param start must be within the last year')
  if (!step) throw invalid(`Param granularity must be one of {${Object.keys(STEP_SECONDS).join(', ')}}`)
  const dimensions = parseModifierList(modifiers.get('dimensions')).map((name) => {
    return DIMENSIONS[name] ?? refuseName('dimensions', Object.keys(DIMENSIONS), name)
  })
  const metrics = parseModifierList(modifiers.get('metric_types'))
  const wrong = metrics.find((name) => !METRICS.includes(name))
  if (wrong) refuseName('metric_types', METRICS, wrong)
  return { start, end, step, dimensions, metrics: metrics.length > 0 ? metrics : METRICS }
}

function refuseName(parameter: string, allowed: string[], name: string): never {
  throw invalid(`Param ${parameter} must be one of {${allowed.join(', ')}} - got "${name}".`)
}

function parseSeconds(name: string, text: string | undefined): number {
  if (text === undefined) throw required(name)
  if (!/^\d{1,12}$/.test(text)) throw invalid(`Param ${name} must be a unix time in seconds`)
  return Number(text)
}
