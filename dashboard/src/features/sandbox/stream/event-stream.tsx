import { useRef, useState } from 'react'
import { useListeners, useListenerTexts } from '../../../api/listeners.ts'
import { cx } from '../../../lib/cx.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import { useLiveState } from '../../../live/live.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { SHOWN, type Shown } from '../search.ts'
import type { StreamRow } from './rows.ts'
import { StreamRowItem } from './stream-row.tsx'
import { useHeldRows } from './use-held-rows.ts'
import { useRowPage } from './use-row-page.ts'

/** So many rows are in the document at a time. */
const PAGE_LENGTH = 25

type EventStreamProps = {
  rows: readonly StreamRow[]
  isLoading: boolean
  /** The reason that there are no rows. */
  error: Error | null
  onRetry: () => void
  show: Shown
  openKey: string | undefined
  /** The message whose bubble is outlined. */
  wamid: string | null
  onShow: (show: Shown) => void
  onOpen: (key: string | undefined) => void
}

/** Shows the actions of the hub, the simulator and the endpoints, newest first. */
export function EventStream(props: EventStreamProps) {
  const { rows, isLoading, error, onRetry, show, openKey, wamid, onShow, onOpen } = props
  const t = useSandboxTexts()
  const frame = useRef<HTMLDivElement>(null)
  useShortcuts({ Escape: () => onOpen(undefined) })
  const [isAtTop, setAtTop] = useState(true)
  const [isHovered, setHovered] = useState(false)
  const [isTurned, setTurned] = useState(false)
  const { visible, waiting, release, clear } = useHeldRows(rows, openKey, isHovered || !isAtTop || isTurned)
  const page = useRowPage(visible, ({ key }) => key, { size: PAGE_LENGTH, wanted: openKey })
  if (page.hasLater !== isTurned) setTurned(page.hasLater)
  return (
    <section
      aria-label={t('eventStream')}
      className="@container flex min-h-0 flex-1 flex-col max-tablet:order-last max-tablet:flex-none max-tablet:border-t max-tablet:border-line"
    >
      <header className="flex min-h-13 flex-wrap items-center justify-between gap-2 border-b border-line px-6 py-2 max-tablet:px-4">
        <h2 className="flex items-center gap-3 text-section font-semibold text-text">
          {t('eventStream')}
          <LiveDot />
        </h2>
        <span className="flex flex-wrap items-center gap-2">
          <Segmented
            label={t('shown')}
            value={show}
            options={SHOWN.map((value) => ({ value, label: t(`show.${value}`) }))}
            onChange={onShow}
          />
          <Button kind="quiet" size="bar" onClick={clear}>
            {t('clear')}
          </Button>
        </span>
      </header>
      <ListenersLine />
      <div
        ref={frame}
        className="relative min-h-0 flex-1 overflow-y-auto max-tablet:overflow-visible"
        onScroll={(event) => setAtTop(event.currentTarget.scrollTop < 8)}
        onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
        onPointerLeave={() => setHovered(false)}
      >
        {waiting > 0 && (
          <button
            type="button"
            onClick={() => {
              release()
              page.showLatest()
              frame.current?.scrollTo({ top: 0 })
            }}
            className="sticky top-2 z-10 mx-auto -mb-7 flex h-7 w-fit items-center rounded-full bg-accent px-3 font-medium text-on-accent shadow-2"
          >
            {t('new', { count: waiting })}
          </button>
        )}
        {error ? (
          <ErrorState title={t('streamFailed')} error={error} onRetry={onRetry} />
        ) : isLoading ? (
          <Skeleton rowClass="h-9" />
        ) : visible.length === 0 ? (
          <EmptyState title={t('noEvents')}>{t('noEventsText')}</EmptyState>
        ) : (
          <>
            {page.hasLater && <PageButton icon="arrow-up" onClick={page.showLater} text={t('laterEvents')} />}
            <ol>
              {page.rows.map((row) => (
                <StreamRowItem
                  key={row.key}
                  row={row}
                  isOpen={row.key === openKey}
                  isOfMessage={wamid !== null && row.wamid === wamid}
                  onToggle={() => onOpen(row.key === openKey ? undefined : row.key)}
                />
              ))}
            </ol>
            {page.hasEarlier && <PageButton icon="arrow-down" onClick={page.showEarlier} text={t('earlierEvents')} />}
          </>
        )}
      </div>
    </section>
  )
}

/** The phone's messages go to terminals as well as to endpoints. */
function ListenersLine() {
  const t = useListenerTexts()
  const { length: count } = useListeners()
  if (count === 0) return null
  return (
    <p className="flex items-center gap-2 border-b border-line px-6 py-2 text-text-2 max-tablet:px-4">
      <Icon name="terminal" size={14} />
      {t('alsoListening', { count })}
    </p>
  )
}

function PageButton({ icon, text, onClick }: { icon: IconName; text: string; onClick: () => void }) {
  return (
    <p className="border-b border-line px-6 py-1.5 max-tablet:px-4">
      <Button kind="quiet" size="bar" icon={icon} onClick={onClick}>
        {text}
      </Button>
    </p>
  )
}

function LiveDot() {
  const t = useSandboxTexts()
  const isLive = useLiveState() === 'live'
  return (
    <span className="flex items-center gap-1.5 text-base font-normal text-text-2">
      <span aria-hidden="true" className={cx('size-2 rounded-full', isLive ? 'bg-ok' : 'border-2 border-warn-mark')} />
      {isLive ? t('live') : t('polling')}
    </span>
  )
}
