import { formatDuration } from '../../../lib/format.ts'
import { isStatusName, StatusIcon, useStatusText } from '../../../ui/data/status.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Timeline } from '../../../ui/line/timeline.tsx'
import { DrawerSection } from '../../../ui/overlays/drawer.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'

/** The statuses on one line, with the time from each to the next. */
export function TimelineSection({ message: { timeline } }: { message: MessageDetail }) {
  const t = useDrawerTexts()
  const statusText = useStatusText()
  const [first, last] = [timeline[0], timeline.at(-1)]
  const word = (status: string) => (isStatusName(status) ? statusText(status) : status)
  const totalMs = first && last ? Date.parse(last.at) - Date.parse(first.at) : 0
  const total =
    last && totalMs > 0 ? t('total', { time: formatDuration(totalMs), status: word(last.status) }) : undefined
  return (
    <DrawerSection title={t('timeline')} aside={total && <span className="text-text-3">{total}</span>}>
      <Timeline
        label={t('timeline')}
        stops={timeline.map(({ status, at }, position) => ({
          id: status,
          mark: isStatusName(status) && <StatusIcon status={status} size={12} />,
          title: word(status),
          aside: (
            <span className="inline-flex items-baseline gap-3">
              <span className="font-mono text-meta">
                <Time at={at} precision="millisecond" />
              </span>
              <span className="w-16 text-right text-text-3">{describeGap(timeline[position - 1]?.at, at)}</span>
            </span>
          ),
        }))}
      />
    </DrawerSection>
  )
}

/** The upstream's times have no milliseconds, so that a status may seem earlier than the one before. */
function describeGap(before: string | undefined, at: string): string {
  const ms = before === undefined ? -1 : Date.parse(at) - Date.parse(before)
  return ms < 0 ? '' : `+${formatDuration(ms)}`
}
