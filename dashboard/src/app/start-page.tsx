import type { Inspector } from '@hubline/sdk/console'
import { lazy, Suspense } from 'react'
import { FirstRun, useFirstRunWait } from '../features/onboarding/first-run.tsx'
import { OverviewPage } from '../features/overview/overview-page.tsx'
import { loadWithTexts } from '../lib/texts.ts'
import { Skeleton } from '../ui/states/list-states.tsx'

/** Few people have one, so that the overview does not wait for it. */
const InspectorPanel = lazy(async () => {
  const { InspectorPanel: Panel } = await loadWithTexts(
    () => import('../features/webhooks/inspector/inspector-panel.tsx'),
  )
  return { default: Panel }
})

/** The overview, and above it the way to a first message. */
export function StartPage() {
  const isWaiting = useFirstRunWait()
  return (
    <>
      <FirstRun showInspector={showInspector} />
      {isWaiting && <Skeleton rowClass="h-16" />}
      {/* It loads meanwhile, and appears where it stays. */}
      <div hidden={isWaiting}>
        <OverviewPage />
      </div>
    </>
  )
}

function showInspector(inspector: Inspector) {
  return (
    <Suspense fallback={<Skeleton />}>
      <InspectorPanel inspector={inspector} />
    </Suspense>
  )
}
