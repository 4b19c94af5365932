import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useInspector } from '../../api/inspector.ts'
import { useSession } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { useFirstAnswers } from '../../lib/use-first-answers.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { ErrorState } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { Checklist, type ShowInspector } from './checklist.tsx'
import { useOnboardingTexts } from './onboarding-texts.ts'
import { type OneTimeSecret, OneTimeSecretSheet } from './one-time-secret.tsx'
import { isDone, STEPS } from './progress.ts'
import { progressQuery } from './progress-query.ts'

/** On top of the overview: where this hub stands, and the way to a first message. */
export function FirstRun({ showInspector }: { showInspector: ShowInspector }) {
  const { organization } = useSession()
  const isSandbox = useSandbox()
  const memory = useMemory(organization.id)
  if (!isSandbox && memory.stage === 'over') return null
  return (
    <div className="flex flex-col gap-5 px-8 pt-6 max-tablet:gap-4 max-tablet:px-4 max-tablet:pt-4">
      {isSandbox && <SandboxBanner />}
      {memory.stage !== 'over' && <OpenChecklist {...memory} showInspector={showInspector} />}
    </div>
  )
}

/** True until it is known if there is a checklist, so that nothing stands where it comes. */
export function useFirstRunWait(): boolean {
  const { organization } = useSession()
  const { stage } = useMemory(organization.id)
  const isWaiting = useFirstAnswers(useQuery({ ...progressQuery, enabled: stage !== 'over' }), useInspector())
  return isWaiting && stage !== 'over'
}

/** This browser remembers that the checklist was seen with open steps, or that it is over. */
type Memory = { stage: 'new' | 'open' | 'over'; keep: (stage: 'open' | 'over') => void; end: () => void }

function useMemory(organizationId: string): Memory {
  const name = `hubline.first-run.${organizationId}`
  const [stage, setStage] = useState(() => (localStorage.getItem(name) ?? 'new') as Memory['stage'])
  return {
    stage,
    /** From the next visit on. */
    keep: (next) => localStorage.setItem(name, next),
    end() {
      localStorage.setItem(name, 'over')
      setStage('over')
    },
  }
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

function OpenChecklist({ stage, keep, end, showInspector }: Memory & { showInspector: ShowInspector }) {
  const t = useOnboardingTexts()
  const progress = useQuery(progressQuery)
  const receiving = useInspector().data
  const [secret, setSecret] = useState<OneTimeSecret>()
  useLiveQueries(progressQuery.queryKey, () => true)
  const isWaiting = useFirstRunWait()
  const known = isWaiting ? undefined : progress.data
  const data = known && { ...known, inspector: receiving?.inspector ?? undefined }
  const isFinished = data !== undefined && STEPS.every((step) => isDone(step, data))
  const isOpen = data !== undefined && !isFinished
  const wasOpen = useRef(stage === 'open')
  useEffect(() => {
    if (isOpen) wasOpen.current = true
    if (isOpen) keep('open')
    if (isFinished) keep('over')
  })
  if (progress.error && !data) {
    return <ErrorState title={t('failed')} error={progress.error} onRetry={() => void progress.refetch()} />
  }
  return (
    <>
      {isOpen && (
        <Checklist
          progress={data}
          canReceiveHere={receiving?.is_available === true}
          showInspector={showInspector}
          onSecret={setSecret}
          onHide={end}
        />
      )}
      {isFinished && wasOpen.current && <AllDone onEnd={end} />}
      {secret && <OneTimeSecretSheet shown={secret} onDone={() => setSecret(undefined)} />}
    </>
  )
}

/** The last words to the person who took the steps. */
function AllDone({ onEnd }: { onEnd: () => void }) {
  const t = useOnboardingTexts()
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
