import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { ErrorState } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { Checklist } from './checklist.tsx'
import { useOnboardingTexts } from './onboarding-texts.ts'
import { type OneTimeSecret, OneTimeSecretSheet } from './one-time-secret.tsx'
import { isDone, progressQuery, STEPS } from './progress.ts'

/** On top of the overview: where this hub stands, and the way to a first message. */
export function FirstRun() {
  const { organization } = useSession()
  const isSandbox = useSandbox()
  const name = `hubline.first-run.${organization.id}`
  const [isOver, setOver] = useState(localStorage.getItem(name) !== null)
  /** From the next visit on. */
  function keepOver(): void {
    localStorage.setItem(name, 'over')
  }
  function end(): void {
    keepOver()
    setOver(true)
  }
  if (!isSandbox && isOver) return null
  return (
    <div className="flex flex-col gap-5 px-8 pt-6 max-tablet:gap-4 max-tablet:px-4 max-tablet:pt-4">
      {isSandbox && <SandboxBanner />}
      {!isOver && <OpenChecklist onDone={keepOver} onEnd={end} />}
    </div>
  )
}

function SandboxBanner() {
  const t = useOnboardingTexts()
  return (
    <Notice
      tone="info"
      icon="flask"
      title={t('inSandbox')}
      action={
        <ButtonLink to="/simulator" icon="phone">
          {t('openPhone')}
        </ButtonLink>
      }
    >
      {t('inSandboxText')}
    </Notice>
  )
}

type OpenChecklistProps = { onDone: () => void; onEnd: () => void }

function OpenChecklist({ onDone, onEnd }: OpenChecklistProps) {
  const t = useOnboardingTexts()
  const progress = useQuery(progressQuery)
  const [secret, setSecret] = useState<OneTimeSecret>()
  useLiveQueries(progressQuery.queryKey, () => true)
  if (progress.error && !progress.data) {
    return <ErrorState title={t('failed')} error={progress.error} onRetry={() => void progress.refetch()} />
  }
  const { data } = progress
  if (!data) return null
  return (
    <>
      {STEPS.every((step) => isDone(step, data)) ? (
        <AllDone onDone={onDone} onEnd={onEnd} />
      ) : (
        <Checklist progress={data} onSecret={setSecret} onHide={onEnd} />
      )}
      {secret && <OneTimeSecretSheet shown={secret} onDone={() => setSecret(undefined)} />}
    </>
  )
}

/** The last words of the checklist. It does not come back. */
function AllDone({ onDone, onEnd }: OpenChecklistProps) {
  const t = useOnboardingTexts()
  useEffect(onDone, [onDone])
  return (
    <Notice
      tone="info"
      icon="ring-tick"
      title={t('allDone')}
      action={
        <button type="button" onClick={onEnd} className="font-medium text-info max-tablet:min-h-11">
          {t('hide')}
        </button>
      }
    >
      {t('allDoneText')}
    </Notice>
  )
}
