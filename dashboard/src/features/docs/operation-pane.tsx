import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/data/badge.tsx'
import { referenceQuery } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'
import { Errors, Inputs, Method } from './operation-parts.tsx'

/** Beside a guide: the entry of the operation that its text is about. */
export function OperationPane({ id }: { id: string }) {
  const t = useDocsTexts()
  const { data } = useQuery(referenceQuery)
  const operation = data?.operations.find((one) => one.id === id)
  if (!data || !operation) return null
  return (
    <aside
      aria-label={t('reference')}
      className="hidden w-78 shrink-0 flex-col gap-4 overflow-y-auto border-l border-line bg-bg px-5 py-5 wide:flex"
    >
      <div className="flex flex-col gap-2">
        <p className="flex items-center justify-between gap-2">
          <span className="text-text-3">{t('reference')}</span>
          <Link
            to="/docs/reference/$operation"
            params={{ operation: id }}
            className="font-medium text-accent hover:underline"
          >
            {t('open')}
          </Link>
        </p>
        <p className="flex flex-wrap items-center gap-2">
          <Method method={operation.method} />
          <code className="font-mono text-meta break-all text-text">{operation.path.replace('/api/v1', '')}</code>
        </p>
        <p lang="en">{operation.summary}</p>
        {operation.scopes.length > 0 && (
          <p className="flex gap-2">
            <span className="text-text-3">{t('scope')}</span>
            <code className="font-mono text-meta text-text">{operation.scopes.join(', ')}</code>
          </p>
        )}
      </div>
      <div lang="en" className="contents">
        <Inputs
          operation={{ ...operation, parameters: operation.parameters.filter(({ place }) => place !== 'path') }}
          objects={data.objects}
        />
      </div>
      <section className="flex flex-col">
        <h3 className="text-section font-semibold text-text">{t('answers')}</h3>
        {operation.answers.map(({ status, text }) => (
          <p key={status} className="flex items-center gap-3 border-b border-line py-2">
            <Badge tone="accent" isCode>
              {status}
            </Badge>
            <span lang="en">{text}</span>
          </p>
        ))}
        <Errors errors={operation.errors} />
      </section>
    </aside>
  )
}
