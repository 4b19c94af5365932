import type { AuditEntry } from '@hubline/sdk'
import type { KnownName } from './known-names.ts'
import { useTargetText } from './target-name.ts'

type TargetCellProps = { target: AuditEntry['target']; names: readonly KnownName[] }

/** The target by its name and then its kind; by its kind alone if nobody knows the name. */
export function TargetCell({ target, names }: TargetCellProps) {
  const { name, type } = useTargetText(names)(target)
  if (name === undefined) return <span className="text-text-2">{type}</span>
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="min-w-0 truncate text-text" title={name}>
        {name}
      </span>
      <span className="shrink-0 text-meta text-text-3">{type}</span>
    </span>
  )
}
