import { FirstRun } from '../features/onboarding/first-run.tsx'
import { OverviewPage } from '../features/overview/overview-page.tsx'

/** The overview, and above it the way to a first message. */
export function StartPage() {
  return (
    <>
      <FirstRun />
      <OverviewPage />
    </>
  )
}
