import { HubError } from '@hubline/sdk'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { defineTexts } from '../lib/texts.ts'
import { ButtonLink } from '../ui/controls/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/states/list-states.tsx'

const usePageTexts = defineTexts('page-states')

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
