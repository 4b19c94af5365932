import { getRouteApi, Link } from '@tanstack/react-router'
import { useEventTexts } from '../../../api/event-texts.ts'
import { EVENT_GROUPS, EVENT_KINDS, type EventKind } from '../../../api/events.ts'
import { cx } from '../../../lib/cx.ts'
import type { DevelopersSearch } from '../search.ts'
import { EventDetail } from './event-detail.tsx'
import { useEventsTexts } from './events-texts.ts'

const route = getRouteApi('/shell/developers')

/** Every kind beside the one that is open. A phone shows one of the two. */
export function EventsTab() {
  const t = useEventsTexts()
  const search = route.useSearch()
  const { kind } = search
  const shown = kind ?? ('message.received' satisfies EventKind)
  return (
    <div className="flex min-h-0 flex-1 max-tablet:flex-col max-tablet:overflow-y-auto">
      <nav
        aria-label={t('list')}
        className={cx(
          'flex w-96 shrink-0 flex-col gap-4 overflow-y-auto border-r border-line px-8 py-5 max-desktop:w-72 max-tablet:w-full max-tablet:border-r-0 max-tablet:p-4',
          kind !== undefined && 'max-tablet:hidden',
        )}
      >
        <p>{t('subtitle')}</p>
        {EVENT_GROUPS.map(({ name, has }) => (
          <KindList key={name} name={name} kinds={EVENT_KINDS.filter(has)} shown={shown} search={search} />
        ))}
      </nav>
      <div
        className={cx(
          'flex min-w-0 flex-1 flex-col gap-4 overflow-y-auto px-8 py-5 max-tablet:p-4',
          kind === undefined && 'max-tablet:hidden',
        )}
      >
        <Link
          to="/developers"
          search={{ tab: 'events' }}
          className="hidden h-11 items-center text-accent max-tablet:flex"
        >
          {t('back')}
        </Link>
        <EventDetail kind={shown} mode={search.mode ?? 'normalized'} format={search.format ?? 'native'} />
      </div>
    </div>
  )
}

type KindListProps = {
  name: (typeof EVENT_GROUPS)[number]['name']
  kinds: readonly EventKind[]
  shown: EventKind
  search: DevelopersSearch
}

function KindList({ name, kinds, shown, search }: KindListProps) {
  const e = useEventTexts()
  return (
    <section>
      <h2 className="mb-1 text-meta font-medium text-text-3">{e(`group.${name}`)}</h2>
      <ul>
        {kinds.map((kind) => (
          <li key={kind}>
            <Link
              to="/developers"
              search={{ ...search, kind }}
              aria-current={kind === shown ? 'true' : undefined}
              className={cx(
                'flex flex-col justify-center rounded-control px-3 py-1.5 max-tablet:min-h-11',
                kind === shown ? 'bg-selected tablet:shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover',
              )}
            >
              <code className="font-mono text-meta text-text">{kind}</code>
              <span className="text-meta text-text-3">{e(`event.${kind}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
