import { StatusIcon } from '../../../ui/data/status.tsx'
import { useEditorTexts } from './editor-texts.ts'
import { RULES, type Rule } from './rules.ts'

/** Lists the broken rules first, then those that are met. */
export function RuleList({ rules }: { rules: Partial<Record<Rule, boolean>> }) {
  const t = useEditorTexts()
  const open = RULES.filter((rule) => rules[rule] === false)
  const met = RULES.filter((rule) => rules[rule] === true)
  return (
    <section>
      <div className="mb-2 flex items-baseline justify-between gap-2">
        <h2 className="text-section font-semibold text-text">{t('rules')}</h2>
        <span className="text-text-3">{t('met', { count: met.length, open: open.length })}</span>
      </div>
      <ul className="flex flex-col gap-2">
        {[...open, ...met].map((rule) => (
          <li key={rule} className={rules[rule] ? 'flex gap-2' : 'flex gap-2 font-medium text-warn'}>
            <span className="mt-0.5">
              <StatusIcon status={rules[rule] ? 'ok' : 'warning'} />
            </span>
            {t(`rule.${rule}`)}
          </li>
        ))}
      </ul>
    </section>
  )
}
