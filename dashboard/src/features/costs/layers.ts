import type { CostFigures, CostGroup } from '@hubline/sdk'

/** The categories that nearly every account has, from the bottom up. All others are one layer on top. */
const USUAL = ['utility', 'marketing', 'authentication'] as const
const COLORS = ['fill-accent', 'fill-chart-2', 'fill-chart-3'] as const
export const OTHERS = ''

export type CostLayer = {
  /** The category, as the upstream spells it. */
  category: string
  color: (typeof COLORS)[number] | 'fill-chart-4 stroke-chart-3'
  values: readonly number[]
}

/** The figure that is shown: the estimate where there is a rate card, else the messages. */
export function toValue({ cost, messages }: CostFigures): number {
  return cost === null ? messages : Number(cost)
}

/** One value for each day and category, without categories that have nothing. */
export function buildLayers(groups: readonly CostGroup[], days: readonly string[]): CostLayer[] {
  const byDay = new Map(groups.map((group) => [group.key, group.categories]))
  const sum = (day: string, isOf: (category: string) => boolean) =>
    (byDay.get(day) ?? []).filter(({ category }) => isOf(category)).reduce((total, one) => total + toValue(one), 0)
  const isUsual = (category: string) => USUAL.some((usual) => usual === category)
  const usual = USUAL.map((category, index) => ({
    category,
    color: COLORS[index] ?? COLORS[0],
    values: days.map((day) => sum(day, (one) => one === category)),
  }))
  const others: CostLayer = {
    category: OTHERS,
    color: 'fill-chart-4 stroke-chart-3',
    values: days.map((day) => sum(day, (one) => !isUsual(one))),
  }
  return [...usual, others].filter(({ values }) => values.some((value) => value > 0))
}
