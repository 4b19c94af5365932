import { cx } from '../../lib/cx.ts'
import { formatPercent } from '../../lib/format.ts'
import { useCostsTexts } from './costs-texts.ts'
import { formatAmount } from './money.ts'

const NEARLY = 0.8
const WIDTH = 72

/** Shows the used share of a budget. Full, the bar is as long as it gets. */
export function BudgetShare({ cost, budget, currency }: { cost: number; budget: number; currency: string }) {
  const t = useCostsTexts()
  const ratio = cost / budget
  const level = ratio >= 1 ? 'full' : ratio >= NEARLY ? 'nearly' : 'fine'
  const fill = { full: 'fill-danger-mark', nearly: 'fill-warn-mark', fine: 'fill-accent' }[level]
  const tone = { full: 'text-danger', nearly: 'text-warn', fine: '' }[level]
  return (
    <span className="inline-flex items-center gap-2">
      <svg width={WIDTH} height="6" aria-hidden="true" className="max-desktop:hidden">
        <rect width={WIDTH} height="6" rx="1" className="fill-line" />
        <rect width={WIDTH * Math.min(1, ratio)} height="6" rx="1" className={fill} />
      </svg>
      <span className={cx('font-medium', tone)}>
        {t('share', { share: formatPercent(Math.floor(ratio * 100) / 100), amount: formatAmount(budget, currency) })}
      </span>
    </span>
  )
}
