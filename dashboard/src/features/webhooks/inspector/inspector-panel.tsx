import type { InspectedRequest, Inspector } from '@hubline/sdk/console'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RECEIVERS } from '../../../api/generated/receivers.gen.ts'
import { hub } from '../../../api/hub.ts'
import { useInspectorChange } from '../../../api/inspector.ts'
import { useSandbox } from '../../../api/setup.ts'
import { cx } from '../../../lib/cx.ts'
import { formatBytes, formatMoment } from '../../../lib/format.ts'
import { useLiveState } from '../../../live/live.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { CodeTabs } from '../../../ui/data/code.tsx'
import { StatusIcon } from '../../../ui/data/status.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { useInspectorTexts } from './inspector-texts.ts'
import { OpenRequest } from './open-request.tsx'

type Answer = Inspector['answer']
const ANSWERS: readonly Answer[] = ['200', '500', '410', 'hang']

/** The requests that arrive inside the hub, the open one with its verification, and the code that does the same. */
export function InspectorPanel({ inspector }: { inspector: Inspector }) {
  const t = useInspectorTexts()
  const isSandbox = useSandbox()
  const [chosen, setChosen] = useState<string>()
  const { requests } = inspector
  const open = requests.find((request) => toKey(request) === chosen) ?? requests[0]
  const update = useInspectorChange((body: { answer?: Answer; status?: 'active' }) => hub.console.updateInspector(body))
  const test = useInspectorChange(async () => {
    await hub.console.testInspector()
    setChosen(undefined)
    return undefined
  })
  const failure = update.error ?? test.error
  const isPaused = inspector.status !== 'active'
  const sendTest = (
    <Button
      icon="send"
      kind={requests.length === 0 ? 'primary' : 'secondary'}
      isBusy={test.isPending}
      reason={isPaused ? t('resumeFirst') : undefined}
      onClick={() => test.mutate()}
    >
      {t('sendTest')}
    </Button>
  )
  return (
    <section aria-label={t('title')} className="overflow-hidden rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-bg px-4 py-3">
        <h2 className="flex items-center gap-2 text-section font-semibold text-text">
          {t('title')}
          <Badge tone="outline">{t('inspector')}</Badge>
        </h2>
        <p className="min-w-0 text-meta text-text-3">
          {t('inside')} · {t('deletedAt', { at: formatMoment(inspector.expires_at) })}
        </p>
        <div className="ml-auto flex flex-wrap items-center gap-3 max-tablet:ml-0">
          <span className="text-text-2">{t('answerWith')}</span>
          <Segmented
            label={t('answerWith')}
            value={inspector.answer}
            options={ANSWERS.map((value) => ({ value, label: value === 'hang' ? t('hang') : value }))}
            onChange={(answer) => update.mutate({ answer })}
          />
        </div>
      </header>
      {(isPaused || failure) && (
        <div className="flex flex-col gap-3 border-b border-line p-4">
          {isPaused && (
            <Notice
              tone="danger"
              icon="ring-bars"
              title={t('paused')}
              action={
                <Button
                  icon="play"
                  isBusy={update.isPending}
                  onClick={() => update.mutate({ answer: '200', status: 'active' })}
                >
                  {t('resume')}
                </Button>
              }
            >
              {t('pausedText')}
            </Notice>
          )}
          {failure && <FailureNotice error={failure} />}
        </div>
      )}
      <div className="grid grid-cols-[248px_minmax(0,1fr)_320px] max-wide:grid-cols-[248px_minmax(0,1fr)] max-desktop:grid-cols-1">
        <div className="flex flex-col border-line border-r max-desktop:border-r-0">
          <div className="flex h-9 items-center justify-between border-b border-line px-4 text-meta text-text-3">
            <span role="status">{t('requests', { count: requests.length })}</span>
            <LiveDot />
          </div>
          <ul className="max-h-[30rem] overflow-y-auto max-desktop:max-h-64">
            {requests.map((request) => (
              <RequestRow
                key={toKey(request)}
                request={request}
                isOpen={request === open}
                onOpen={() => setChosen(toKey(request))}
              />
            ))}
          </ul>
          <div className="flex flex-col items-start gap-2 p-4">
            {sendTest}
            {isSandbox && (
              <Link to="/simulator" className="text-meta font-medium text-accent max-tablet:py-3">
                {t('orPhone')}
              </Link>
            )}
          </div>
        </div>
        <div className="min-w-0 p-4 max-desktop:border-t max-desktop:border-line">
          {open ? <OpenRequest key={toKey(open)} inspector={inspector} request={open} /> : <Waiting />}
        </div>
        <div className="flex min-w-0 flex-col gap-3 border-l border-line p-4 max-wide:col-span-2 max-wide:border-t max-wide:border-l-0 max-desktop:col-span-1">
          <h3 className="text-section font-semibold text-text">{t('sameCheck')}</h3>
          <CodeTabs label={t('sameCheck')} samples={RECEIVERS} />
          <p className="text-meta text-text-3">{t('tryRetry')}</p>
        </div>
      </div>
    </section>
  )
}

function toKey({ delivery_id, attempt }: InspectedRequest): string {
  return `${delivery_id}.${attempt}`
}

function Waiting() {
  const t = useInspectorTexts()
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-section font-semibold text-text">{t('none')}</h3>
      <p>{t('noneText')}</p>
    </div>
  )
}

type RequestRowProps = { request: InspectedRequest; isOpen: boolean; onOpen: () => void }

function RequestRow({ request, isOpen, onOpen }: RequestRowProps) {
  const { event, http_status, error_code, received_at, bytes } = request
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={onOpen}
        className={cx(
          'flex min-h-[52px] w-full flex-col justify-center border-l-2 px-4 text-left focus-visible:-outline-offset-2',
          isOpen ? 'border-accent bg-selected' : 'border-transparent hover:bg-hover',
        )}
      >
        <span className="flex items-center justify-between gap-2">
          <code className="truncate font-mono text-meta text-text">{event}</code>
          <span className="flex items-center gap-1.5 font-mono text-meta">
            <StatusIcon status={error_code === null ? 'succeeded' : 'failed'} />
            {http_status ?? error_code}
          </span>
        </span>
        <span className="flex justify-between gap-2 text-meta text-text-3">
          <Time at={received_at} precision="second" />
          {bytes !== null && <span>{formatBytes(bytes)}</span>}
        </span>
      </button>
    </li>
  )
}

function LiveDot() {
  const t = useInspectorTexts()
  const isLive = useLiveState() === 'live'
  return (
    <span className="flex items-center gap-1.5 text-text-2">
      <span aria-hidden="true" className={cx('size-2 rounded-full', isLive ? 'bg-ok' : 'border-2 border-warn-mark')} />
      {isLive ? t('live') : t('notLive')}
    </span>
  )
}
