import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useCrumb } from '../../lib/crumb.ts'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { Facts, Page } from '../../ui/data/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { Blocks, NO_FILES } from './blocks.tsx'
import { ChannelBar } from './channel-bar.tsx'
import { CodeView, ExampleActions, isOfChannel } from './code-view.tsx'
import type { CodePart, Operation, Reference } from './content.ts'
import { findOperation, referenceQuery } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'
import { Errors, Inputs, Method } from './operation-parts.tsx'
import { ShapeView } from './shape-view.tsx'

const route = getRouteApi('/docs/layout/reference/$operation')
const CREDENTIALS = {
  '': 'noCredential',
  apiKey: 'apiKey',
  channelToken: 'channelToken',
  'apiKey channelToken': 'apiKeyOrChannelToken',
} as const

export function OperationPage() {
  const t = useDocsTexts()
  const { operation: id } = route.useParams()
  const known = findOperation(id)
  const { data, isPending, error, refetch } = useQuery(referenceQuery)
  useCrumb(known?.summary ?? t('reference'))
  const operation = data?.operations.find((one) => one.id === id)
  if (!known) {
    return (
      <Page>
        <EmptyState
          title={t('operationNotFound')}
          actions={<ButtonLink to="/docs/reference">{t('toReference')}</ButtonLink>}
        />
      </Page>
    )
  }
  if (error) return <ErrorState title={t('failed')} error={error} onRetry={() => void refetch()} />
  if (isPending || !operation) return <Skeleton />
  return <OperationEntry key={id} operation={operation} objects={data.objects} />
}

function OperationEntry({ operation, objects }: { operation: Operation; objects: Reference['objects'] }) {
  const t = useDocsTexts()
  const { method, path, summary, description, scopes, credentials, answers, errors } = operation
  const isEvent = method === 'EVENT'
  return (
    <article
      lang="en"
      className="min-w-0 flex-1 break-words tablet:overflow-y-auto wide:grid wide:h-full wide:grid-cols-[minmax(0,1fr)_440px] wide:grid-rows-[auto_1fr]"
    >
      <div className="flex min-w-0 flex-col gap-4 px-8 pt-6 max-tablet:px-4 max-tablet:pt-4">
        <h1 className="text-page font-semibold tracking-[-0.015em] text-text">{summary}</h1>
        <p className="flex flex-wrap items-center gap-2">
          <Method method={method} />
          <code className="font-mono text-meta break-all text-text">{path}</code>
          <CopyButton text={path} />
        </p>
        <Blocks blocks={description} files={NO_FILES} />
        {!isEvent && (
          <Facts
            facts={[
              [t('credential'), t(CREDENTIALS[credentials.join(' ') as keyof typeof CREDENTIALS])],
              ...(scopes.length > 0
                ? [
                    [
                      t('scope'),
                      <code key="scope" className="font-mono text-meta">
                        {scopes.join(', ')}
                      </code>,
                    ] as const,
                  ]
                : []),
            ]}
          />
        )}
      </div>
      <Examples operation={operation} />
      <div className="flex min-w-0 flex-col gap-4 px-8 py-4 max-tablet:px-4">
        <Inputs operation={operation} objects={objects} />
        {answers.length > 0 && (
          <section className="flex flex-col gap-2">
            <h3 className="text-section font-semibold text-text">{t('answers')}</h3>
            {answers.map(({ status, text, shape }) => (
              <div key={status} className="flex flex-col gap-1">
                <p className="flex items-center gap-2">
                  <Badge tone="accent" isCode>
                    {status}
                  </Badge>
                  {text}
                </p>
                {shape && <ShapeView shape={shape} objects={objects} />}
              </div>
            ))}
          </section>
        )}
        {errors.length > 0 && (
          <section className="flex flex-col gap-1">
            <h3 className="text-section font-semibold text-text">{t('errors')}</h3>
            <Errors errors={errors} />
          </section>
        )}
      </div>
    </article>
  )
}

/** The call with the ids of the reader, and what it answers. */
function Examples({ operation }: { operation: Operation }) {
  const t = useDocsTexts()
  const { curl, sdk, example, credentials, method } = operation
  const calls: Record<string, { parts: CodePart[]; language: string }> = {
    ...(curl && { curl: { parts: curl, language: 'sh' } }),
    ...(sdk && { TypeScript: { parts: sdk, language: 'ts' } }),
  }
  const names = Object.keys(calls)
  const [chosen, setChosen] = useState(names[0] ?? '')
  const call = calls[chosen]
  return (
    <section
      aria-label={t('examples')}
      className="flex min-w-0 flex-col gap-3 border-line bg-bg p-5 max-wide:my-4 max-wide:border-y max-wide:px-8 max-tablet:px-4 wide:sticky wide:top-0 wide:col-start-2 wide:row-span-2 wide:row-start-1 wide:h-[calc(100dvh-48px)] wide:overflow-y-auto wide:border-l"
    >
      {call && (
        <>
          {call.parts.some(isOfChannel) && (
            <ChannelBar variable={credentials.includes('apiKey') ? 'HUBLINE_KEY' : 'CHANNEL_TOKEN'} />
          )}
          <Segmented
            label={t('examples')}
            value={chosen}
            options={names.map((name) => ({ value: name, label: name }))}
            onChange={setChosen}
          />
          <CodeView parts={call.parts} language={call.language} />
          <ExampleActions parts={call.parts} />
        </>
      )}
      {example && (
        <>
          <h3 className="mt-2 text-section font-semibold text-text">
            {t(method === 'EVENT' ? 'examplePayload' : 'exampleAnswer')}
          </h3>
          <CodeView parts={example} language="json" />
        </>
      )}
    </section>
  )
}
