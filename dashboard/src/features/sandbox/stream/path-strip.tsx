import { Fragment } from 'react'
import { cx } from '../../../lib/cx.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { useSandboxTexts } from '../sandbox-texts.ts'
import type { PathTimes } from './path.ts'

/** Shows the way of a message, and how long each part of it took. */
export function PathStrip({ times, endpoint }: { times: PathTimes | undefined; endpoint: string | undefined }) {
  const t = useSandboxTexts()
  const isBack = times?.direction === 'outbound'
  const stops: { icon: IconName; name: string; below: string; isHub?: boolean; after?: number | undefined }[] = [
    { icon: 'phone', name: t('customer'), below: t('simulated'), after: times?.customer },
    { icon: 'globe', name: 'WhatsApp', below: t('simulated'), after: times?.upstream },
    { icon: 'server', name: 'Hubline', below: t('thisMachine'), isHub: true, after: times?.code },
    { icon: 'code', name: t('yourCode'), below: endpoint ?? t('noEndpoint') },
  ]
  return (
    <ol
      aria-label={t('path')}
      className="flex items-center gap-3 border-b border-line bg-bg px-6 py-3 max-wide:gap-2 max-wide:px-4"
    >
      {stops.map(({ icon, name, below, isHub, after }, position) => (
        <Fragment key={name}>
          <li className="flex shrink-0 items-center gap-2">
            <span
              className={cx(
                'flex size-9 items-center justify-center rounded-card border',
                isHub ? 'border-accent bg-accent text-on-accent' : 'border-line-2 bg-surface text-text-2',
              )}
            >
              <Icon name={icon} size={20} />
            </span>
            <span className="flex flex-col max-desktop:sr-only">
              <span className="font-medium text-text">{name}</span>
              <span className="max-w-24 truncate text-meta text-text-3" title={below}>
                {below}
              </span>
            </span>
          </li>
          {position < stops.length - 1 && (
            <li className="flex min-w-10 flex-1 flex-col items-center gap-1">
              <span className="text-meta text-text-2">
                {after === undefined ? '–' : formatDuration(Math.round(after))}
              </span>
              <span
                aria-hidden="true"
                className={cx('flex w-full items-center text-accent', isBack && 'flex-row-reverse')}
              >
                <span className="h-0.5 flex-1 bg-accent-line" />
                <Icon
                  name={isBack ? 'chevron-left' : 'chevron-right'}
                  size={12}
                  className={isBack ? '-mr-1' : '-ml-1'}
                />
              </span>
            </li>
          )}
        </Fragment>
      ))}
    </ol>
  )
}
