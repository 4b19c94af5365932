import { HubError } from '@hubline/sdk'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { defineTexts } from '../lib/texts.ts'
import { ButtonLink } from '../ui/controls/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/states/list-states.tsx'

const usePageTexts = defineTexts(
  'page-states',
  {
    notFound: 'There is no such page',
    notFoundText: 'The address may be mistyped, or what it showed was deleted.',
    overview: 'Overview',
    failed: 'The page could not be shown',
  },
  {
    notFound: 'Esta página não existe',
    notFoundText: 'O endereço pode estar errado, ou o que ele mostrava foi excluído.',
    overview: 'Visão geral',
    failed: 'Não foi possível mostrar a página',
  },
)

export function NotFound() {
  const t = usePageTexts()
  return (
    <main className="p-8">
      <EmptyState title={t('notFound')} actions={<ButtonLink to="/">{t('overview')}</ButtonLink>}>
        {t('notFoundText')}
      </EmptyState>
    </main>
  )
}

export function PageFailure({ error, reset }: ErrorComponentProps) {
  const t = usePageTexts()
  const router = useRouter()
  return (
    <main className="p-8">
      <ErrorState
        title={t('failed')}
        error={error}
        onRetry={() => {
          // Another kind of error is one of the page itself, or of its code, which may be another by now.
          if (!(error instanceof HubError)) return location.reload()
          reset()
          void router.invalidate()
        }}
      />
    </main>
  )
}

export function PagePending() {
  return (
    <div className="p-8">
      <Skeleton />
    </div>
  )
}
