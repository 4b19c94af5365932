import { Link } from '@tanstack/react-router'
import { useCrumb } from '../../lib/crumb.ts'
import { ButtonAnchor } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy.tsx'
import { Card, PageHeader } from '../../ui/data/card.tsx'
import { operations, tags } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'
import { Method } from './operation-parts.tsx'

const BASE_URL = `${location.origin}/api/v1`

/** Every operation and event, one line each. */
export function ReferencePage() {
  const t = useDocsTexts()
  useCrumb(t('reference'))
  return (
    <article className="flex min-w-0 flex-1 flex-col gap-5 overflow-y-auto px-8 py-6 max-tablet:overflow-visible max-tablet:p-4">
      <PageHeader
        title={t('reference')}
        aside={
          <ButtonAnchor icon="download" href="/openapi.json" download="openapi.json" target="_self">
            {t('download')}
          </ButtonAnchor>
        }
      >
        <p className="max-w-2xl">{t('referenceText')}</p>
        <p className="mt-2 flex flex-wrap items-center gap-2">
          <span className="text-text-3">{t('baseUrl')}</span>
          <code className="font-mono text-meta break-all text-text">{BASE_URL}</code>
          <CopyButton text={BASE_URL} />
        </p>
      </PageHeader>
      <div lang="en" className="contents">
        {tags.map(({ name, text }) => (
          <Card key={name} title={name} aside={<span className="text-text-3">{text}</span>} isFlush>
            <ul>
              {operations
                .filter(({ tag }) => tag === name)
                .map(({ id, method, path, summary }) => (
                  <li key={id} className="border-b border-line last:border-b-0">
                    <Link
                      to="/docs/reference/$operation"
                      params={{ operation: id }}
                      className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 hover:bg-hover max-tablet:min-h-11"
                    >
                      <span className="flex min-w-0 items-center gap-2">
                        <span className="w-16 shrink-0">
                          <Method method={method} />
                        </span>
                        <code className="font-mono text-meta break-all text-text">{path}</code>
                      </span>
                      <span>{summary}</span>
                    </Link>
                  </li>
                ))}
            </ul>
          </Card>
        ))}
      </div>
    </article>
  )
}
