import type { AuditEntry } from '@hubline/sdk'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { useAuditTexts } from './audit-texts.ts'

type Changes = NonNullable<AuditEntry['details']['changes']>
type Change = Changes[string]

/** Field by field, what it was and what it became. */
export function ChangeList({ changes }: { changes: Changes }) {
  const t = useAuditTexts()
  const fields = Object.entries(changes)
  if (fields.length === 0) return <p>{t('unchanged')}</p>
  return (
    <dl className="flex flex-col gap-4">
      {fields.map(([field, change]) => (
        <div key={field} className="flex min-w-0 flex-col gap-1">
          <dt className="font-mono text-meta font-medium text-text">{field}</dt>
          <dd className="flex min-w-0 flex-col gap-1">
            <FieldChange change={change} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldChange({ change: { from, to, redacted } }: { change: Change }) {
  const t = useAuditTexts()
  if (redacted) return <p className="text-text-3">{t('redacted')}</p>
  if (Array.isArray(from) && Array.isArray(to)) return <ListChange from={from} to={to} />
  return (
    <>
      <Line kind="old" word={t('before')}>
        {from}
      </Line>
      <Line kind="new" word={t('after')}>
        {to}
      </Line>
    </>
  )
}

function ListChange({ from, to }: { from: readonly unknown[]; to: readonly unknown[] }) {
  const t = useAuditTexts()
  const kept = to.filter((item) => from.includes(item)).length
  return (
    <>
      {from
        .filter((item) => !to.includes(item))
        .map((item) => (
          <Line key={String(item)} kind="old" word={t('removed')}>
            {item}
          </Line>
        ))}
      {to
        .filter((item) => !from.includes(item))
        .map((item) => (
          <Line key={String(item)} kind="new" word={t('added')}>
            {item}
          </Line>
        ))}
      <p className="text-meta text-text-3">{to.length === 0 ? t('listEmpty') : t('kept', { count: kept })}</p>
    </>
  )
}

/** One value with its sign and its word, so that the color says nothing alone. */
function Line({ kind, word, children }: { kind: 'old' | 'new'; word: string; children: unknown }) {
  const Value = kind === 'old' ? 'del' : 'ins'
  return (
    <p
      className={cx(
        'grid min-w-0 grid-cols-[14px_minmax(72px,auto)_1fr] items-start gap-2 rounded-control px-2 py-1',
        kind === 'old' ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent',
      )}
    >
      <Icon name={kind === 'old' ? 'minus' : 'plus'} size={14} className="mt-[3px]" />
      <span>{word}</span>
      <Value className={cx('min-w-0 break-all', kind === 'old' ? 'line-through' : 'no-underline')}>
        <Shown value={children} />
      </Value>
    </p>
  )
}

function Shown({ value }: { value: unknown }): ReactNode {
  const t = useAuditTexts()
  if (value === null || value === '') return <em>{t('none')}</em>
  return <code className="font-mono text-meta">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
}
