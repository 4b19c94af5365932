import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Dialog as Radix } from 'radix-ui'
import { Fragment, type KeyboardEvent, useId, useState } from 'react'
import { channelsQuery } from '../../api/channels.ts'
import { useSession } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { parseSubject } from '../../features/messages/search.ts'
import { cx } from '../../lib/cx.ts'
import { fold } from '../../lib/fold.ts'
import { Kbd } from '../../ui/controls/filters.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useNavigationTexts } from '../shell/navigation.ts'
import type { Match } from './match.ts'
import { findMatches } from './matches.ts'
import { usePaletteTexts } from './palette-texts.ts'
import { subjectQuery } from './subject-query.ts'

/** Everything by its name, its number or its id, with the keyboard alone. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = usePaletteTexts()
  const n = useNavigationTexts()
  const navigate = useNavigate()
  const id = useId()
  const { organization } = useSession()
  const isSandbox = useSandbox()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const channels = useQuery(channelsQuery).data ?? []
  const subject = useQuery(subjectQuery(organization.id, parseSubject(typed).id))
  const matches = findMatches(typed, { isSandbox, channels, found: subject.data, t, n })
  const current = Math.min(chosen, matches.length - 1)

  function open(match: Match | undefined): void {
    if (match === undefined) return
    onClose()
    void navigate(match.link)
  }

  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + matches.length) % Math.max(1, matches.length))
    }
    if (event.key === 'Enter') open(matches[current])
  }

  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="enter fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          className="enter fixed top-[120px] left-1/2 z-50 flex max-h-[60dvh] w-[680px] max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-dialog border border-line bg-raised shadow-3 outline-none max-tablet:inset-0 max-tablet:max-h-none max-tablet:w-auto max-tablet:max-w-none max-tablet:translate-none max-tablet:rounded-none"
        >
          <Radix.Title className="sr-only">{t('title')}</Radix.Title>
          <div className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-5">
            <Icon name="search" />
            <input
              role="combobox"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={matches[current] && `${id}-${current}`}
              aria-label={t('title')}
              placeholder={t('placeholder')}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setChosen(0)
              }}
              onKeyDown={handleKey}
              className="min-w-0 flex-1 bg-transparent text-section text-text outline-none"
            />
            <span className="max-w-48 truncate text-text-3 max-tablet:hidden">
              {t('in', { name: organization.name })}
            </span>
          </div>
          <div id={`${id}-list`} role="listbox" aria-label={t('title')} className="min-h-0 flex-1 overflow-y-auto p-2">
            {matches.map((match, position) => (
              <Fragment key={match.id}>
                {match.group !== matches[position - 1]?.group && (
                  <p role="presentation" className="px-3 pt-3 pb-1 text-meta text-text-3">
                    {match.group}
                  </p>
                )}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose among the options. */}
                <div
                  id={`${id}-${position}`}
                  ref={position === current ? scrollIntoSight : undefined}
                  role="option"
                  tabIndex={-1}
                  aria-selected={position === current}
                  onClick={() => open(match)}
                  onPointerMove={() => setChosen(position)}
                  className={cx(
                    'flex h-9 items-center gap-3 rounded-control border px-3 text-text max-tablet:h-12',
                    position === current ? 'border-accent-line bg-selected' : 'border-transparent',
                  )}
                >
                  <Icon name={match.icon} className={position === current ? 'text-accent' : 'text-text-3'} />
                  <span className="shrink-0 font-medium">
                    <Marked text={match.title} typed={typed} />
                  </span>
                  <span className="min-w-0 flex-1 truncate text-text-3">{match.hint}</span>
                  {match.aside}
                </div>
              </Fragment>
            ))}
            {subject.isLoading && (
              <p role="status" className="flex items-center gap-2 p-4">
                <Icon name="arc" size={14} className="turning" />
                {t('looking')}
              </p>
            )}
            {subject.error && <FailureNotice error={subject.error} />}
            {matches.length === 0 && !subject.isLoading && <p className="p-4">{t('nothing', { query: typed })}</p>}
          </div>
          <footer className="flex h-10 shrink-0 items-center gap-3 border-t border-line px-5 text-meta text-text-3 max-tablet:hidden">
            <Kbd>↑</Kbd>
            <Kbd>↓</Kbd> {t('move')}
            <Kbd>↵</Kbd> {t('open')}
            <span className="ml-auto">{t('paste')}</span>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The arrow keys also reach what is below the edge of the list. */
function scrollIntoSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

/** The title with the part that was typed in the accent color. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const wanted = fold(typed.trim())
  const start = wanted === '' ? -1 : fold(text).indexOf(wanted)
  // A letter that is several when it is folded would move the mark.
  if (start < 0 || fold(text).length !== text.length) return text
  const end = start + wanted.length
  return (
    <>
      {text.slice(0, start)}
      <span className="text-accent">{text.slice(start, end)}</span>
      {text.slice(end)}
    </>
  )
}
