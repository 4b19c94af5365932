import type { Inspector } from '@hubline/sdk/console'
import { Fragment, type ReactNode, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { cx } from '../../lib/cx.ts'
import { formatPhone } from '../../lib/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { isStatusName, Status } from '../../ui/data/status.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LaterCard } from './later-card.tsx'
import { useOnboardingTexts } from './onboarding-texts.ts'
import type { OneTimeSecret } from './one-time-secret.tsx'
import { isDone, type Progress, STEPS, type StepName } from './progress.ts'
import { ConnectStep } from './steps/connect-step.tsx'
import { CreateStep } from './steps/create-step.tsx'
import { ReceiveStep } from './steps/receive-step.tsx'
import { SendStep } from './steps/send-step.tsx'
import { WebhookStep } from './steps/webhook-step.tsx'

/** The panel of the inspector is of another feature. */
export type ShowInspector = (inspector: Inspector) => ReactNode

type ChecklistProps = {
  progress: Progress
  canReceiveHere: boolean
  showInspector: ShowInspector
  /** Shows a secret for the only time. */
  onSecret: (secret: OneTimeSecret) => void
  onHide: () => void
}

/** Five steps from an empty hub to a customer's reply. What is done is known by the data, not by clicks. */
export function Checklist({ progress, canReceiveHere, showInspector, onSecret, onHide }: ChecklistProps) {
  const t = useOnboardingTexts()
  const { user } = useSession()
  const isSandbox = useSandbox()
  const done = STEPS.filter((step) => isDone(step, progress)).length
  const next = STEPS.find((step) => !isDone(step, progress))
  const [chosen, setChosen] = useState<StepName>()
  const open = chosen !== undefined && !isDone(chosen, progress) ? chosen : next
  return (
    <section aria-label={t('firstSteps')} className="flex flex-col gap-4">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-page font-semibold tracking-[-0.015em] text-text">
            {t('welcome', { name: user.name.split(' ')[0] ?? '' })}
          </h2>
          <p className="mt-1">{t('subtitle')}</p>
        </div>
        <div className="flex items-center gap-3">
          <Meter done={done} />
          <Button kind="quiet" size="bar" icon="x" onClick={onHide}>
            {t('hide')}
          </Button>
        </div>
      </header>
      <div
        className={cx(
          'grid items-start gap-4 max-desktop:grid-cols-1',
          progress.inspector ? 'grid-cols-1' : 'grid-cols-[minmax(0,1fr)_320px]',
        )}
      >
        <ol className="overflow-hidden rounded-card border border-line bg-surface">
          {STEPS.map((step, position) => (
            <Fragment key={step}>
              <StepItem
                number={position + 1}
                title={t(`${step}.title`)}
                hint={
                  isSandbox && (step === 'connect' || step === 'receive') ? t(`${step}.hintSandbox`) : t(`${step}.hint`)
                }
                isDone={isDone(step, progress)}
                isOpen={step === open}
                summary={<Summary step={step} progress={progress} />}
                onOpen={() => setChosen(step)}
              >
                <Body step={step} progress={progress} canReceiveHere={canReceiveHere} onSecret={onSecret} />
              </StepItem>
              {step === 'webhook' && progress.inspector && (
                <li className="border-b border-line bg-bg p-3 max-tablet:p-2">{showInspector(progress.inspector)}</li>
              )}
            </Fragment>
          ))}
        </ol>
        {!progress.inspector && <LaterCard />}
      </div>
    </section>
  )
}

function Meter({ done }: { done: number }) {
  const t = useOnboardingTexts()
  return (
    <p role="status" className="flex items-center gap-2 text-text-2">
      {t('done', { count: done, total: STEPS.length })}
      <span aria-hidden="true" className="flex gap-1">
        {STEPS.map((step, position) => (
          <span
            key={step}
            className={cx(
              'h-2 w-4 rounded-badge border',
              position < done ? 'border-accent bg-accent' : 'border-line-2 bg-surface',
            )}
          />
        ))}
      </span>
    </p>
  )
}

type StepItemProps = {
  number: number
  title: string
  hint: string
  isDone: boolean
  isOpen: boolean
  summary: ReactNode
  onOpen: () => void
  children: ReactNode
}

function StepItem({ number, title, hint, isDone: isFinished, isOpen, summary, onOpen, children }: StepItemProps) {
  return (
    <li className={cx('flex gap-3 border-b border-line px-5 py-3 last:border-b-0', isOpen && 'bg-bg py-4')}>
      <span
        aria-hidden="true"
        className={cx(
          'flex size-5 shrink-0 items-center justify-center rounded-full border text-axis font-semibold',
          isFinished
            ? 'border-accent bg-accent text-on-accent'
            : isOpen
              ? 'border-accent text-accent'
              : 'border-line-2 text-text-2',
        )}
      >
        {isFinished ? <Icon name="check" size={12} /> : number}
      </span>
      <div className="min-w-0 flex-1">
        {isFinished ? (
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h3 className="text-text">{title}</h3>
            <p className="flex items-center gap-2 text-text-2">{summary}</p>
          </div>
        ) : isOpen ? (
          <>
            <h3 className="font-semibold text-text">{title}</h3>
            <div className="mt-1 flex flex-col items-start gap-3">{children}</div>
          </>
        ) : (
          <button type="button" onClick={onOpen} className="flex w-full flex-col rounded-control text-left">
            <h3 className="font-medium text-text">{title}</h3>
            <span className="text-meta text-text-2">{hint}</span>
          </button>
        )}
      </div>
    </li>
  )
}

function Summary({ step, progress }: { step: StepName; progress: Progress }) {
  const t = useOnboardingTexts()
  const { channel, number, sent, endpoint, inspector, receivedAt } = progress
  if (step === 'create' && channel) {
    return (
      <span>
        {channel.name} · <Time at={channel.created_at} />
      </span>
    )
  }
  if (step === 'connect') return formatPhone(number ?? '')
  if (step === 'send' && sent) {
    return (
      <>
        {isStatusName(sent.status) && <Status status={sent.status} />} · <Time at={sent.created_at} />
      </>
    )
  }
  if (step === 'webhook') return endpoint?.name ?? (inspector ? t('receivingHere') : t('listening'))
  return receivedAt === undefined ? null : <Time at={receivedAt} />
}

type BodyProps = Pick<ChecklistProps, 'progress' | 'canReceiveHere' | 'onSecret'> & { step: StepName }

function Body({ step, progress, canReceiveHere, onSecret }: BodyProps) {
  const t = useOnboardingTexts()
  const { channel } = progress
  if (step === 'create') return <CreateStep onSecret={onSecret} />
  if (step === 'webhook') return <WebhookStep canReceiveHere={canReceiveHere} onSecret={onSecret} />
  if (channel === undefined) return <p>{t('needsChannel')}</p>
  if (step === 'connect') return <ConnectStep channel={channel} />
  if (progress.number === undefined) return <p>{t('needsNumber')}</p>
  if (step === 'send') return <SendStep channel={channel} progress={progress} onSecret={onSecret} />
  return <ReceiveStep channel={channel} progress={progress} onSecret={onSecret} />
}
