import { HubError } from '@hubline/sdk'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { defineTexts } from '../lib/texts.ts'
import { Button, ButtonLink } from '../ui/controls/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/states/list-states.tsx'
import { PageCodeError } from './lazy-page.ts'

const usePageTexts = defineTexts('page-states')

export function NotFound() {
  return (
    <main>
      <NotFoundInShell />
    </main>
  )
}

/** The shell has the navigation and the landmark around it. */
export function NotFoundInShell() {
  const t = usePageTexts()
  return (
    <div className="p-8 [--inset:0px] max-tablet:p-4">
      <EmptyState title={t('notFound')} actions={<ButtonLink to="/">{t('overview')}</ButtonLink>}>
        {t('notFoundText')}
      </EmptyState>
    </div>
  )
}

export function PageFailure({ error, reset }: ErrorComponentProps) {
  const t = usePageTexts()
  const router = useRouter()
  async function retry(): Promise<void> {
    if (error instanceof PageCodeError) {
      await error.retry()
      return reset()
    }
    if (error instanceof HubError) {
      reset()
      return router.invalidate()
    }
    // An error of the page itself, or of its code, which may be another by now. Without a hub there is nothing to load.
    if (await isHubThere()) location.reload()
  }
  if (error instanceof PageCodeError) {
    return (
      <div role="alert" className="p-8 [--inset:0px] max-tablet:p-4">
        <EmptyState
          title={t('codeFailed')}
          actions={
            <>
              <Button icon="refresh" onClick={() => void retry()}>
                {t('tryAgain')}
              </Button>
              <Button onClick={() => void isHubThere().then((isThere) => isThere && location.reload())}>
                {t('reload')}
              </Button>
            </>
          }
        >
          {t('codeFailedText')}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="p-8 [--inset:0px] max-tablet:p-4">
      <ErrorState title={t('failed')} error={error} onRetry={() => void retry()} />
    </div>
  )
}

async function isHubThere(): Promise<boolean> {
  try {
    return (await fetch('/health')).ok
  } catch {
    return false
  }
}

export function PagePending() {
  return (
    <div className="p-8">
      <Skeleton />
    </div>
  )
}
