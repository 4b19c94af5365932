import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Dialog as Radix } from 'radix-ui'
import { Fragment, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useRoleName } from '../../api/role-names.ts'
import { useSession } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { parseSubject } from '../../features/messages/search.ts'
import { cx } from '../../lib/cx.ts'
import { fold } from '../../lib/fold.ts'
import { MODIFIER_KEY } from '../../lib/shortcuts.ts'
import { Kbd } from '../../ui/controls/filters.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useNavigationTexts } from '../shell/navigation.ts'
import { findFirst, type Match } from './match.ts'
import { findMatches } from './matches.ts'
import { usePaletteTexts } from './palette-texts.ts'
import { subjectQuery } from './subject-query.ts'
import { usePaletteActions } from './use-actions.ts'
import { useCommands } from './use-commands.ts'
import { useThings } from './use-things.ts'

/** Everything by its name, its number or its id, and what is often done with it, with the keyboard alone. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = usePaletteTexts()
  const u = useUiTexts()
  const n = useNavigationTexts()
  const roleName = useRoleName()
  const navigate = useNavigate()
  const id = useId()
  const { organization } = useSession()
  const isSandbox = useSandbox()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<number>()
  const [subjectOfActions, setSubjectOfActions] = useState<Match>()
  const things = useThings(typed)
  const actions = usePaletteActions()
  const commands = useCommands()
  const subject = useQuery(subjectQuery(organization.id, parseSubject(typed).id))
  const found = findMatches(typed, { isSandbox, things, actions, commands, found: subject.data, roleName, t, n })
  const matches = subjectOfActions?.actions ?? found
  const current = Math.min(chosen ?? findFirst(matches, typed), matches.length - 1)
  const act = useMutation({
    mutationFn: async (match: Match) => match.run?.(),
    onSuccess(link) {
      onClose()
      if (link) void navigate(link)
    },
  })

  function open(match: Match | undefined): void {
    if (match === undefined || match.reason !== undefined || act.isPending) return
    if (match.run) {
      act.mutate(match)
    } else if (match.link) {
      onClose()
      void navigate(match.link)
    }
  }

  function show(match: Match | undefined): void {
    setSubjectOfActions(match)
    setChosen(undefined)
    act.reset()
  }

  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const hasModifier = event.metaKey || event.ctrlKey
    const match = matches[current]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + matches.length) % Math.max(1, matches.length))
    } else if (event.key === 'Enter') {
      open(hasModifier ? matches.find(isOfLog) : match)
    } else if (hasModifier && /^[2-9]$/.test(event.key)) {
      event.preventDefault()
      open(matches[Number(event.key) - 1])
    } else if (event.key === 'Tab' && !event.shiftKey && match?.actions) {
      event.preventDefault()
      show(match)
    } else if (subjectOfActions && (event.key === 'Escape' || (event.key === 'Tab' && event.shiftKey))) {
      event.preventDefault()
      event.stopPropagation()
      show(undefined)
    }
  }

  const isLoading = subject.isLoading || things.isLoading
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="enter fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => subjectOfActions && event.preventDefault()}
          className="enter fixed top-[120px] left-1/2 z-50 flex max-h-[min(640px,calc(100dvh-160px))] w-[680px] max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-dialog border border-line bg-raised shadow-3 outline-none max-tablet:inset-0 max-tablet:max-h-none max-tablet:w-auto max-tablet:max-w-none max-tablet:translate-none max-tablet:rounded-none"
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
                show(undefined)
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
                  aria-disabled={match.reason !== undefined || undefined}
                  onClick={() => open(match)}
                  onPointerMove={() => setChosen(position)}
                  className={cx(
                    'flex h-9 items-center gap-3 rounded-control border px-3 text-text max-tablet:h-auto max-tablet:min-h-12 max-tablet:py-1',
                    position === current ? 'border-accent-line bg-selected' : 'border-transparent',
                  )}
                >
                  <MatchLine match={match} typed={typed} isChosen={position === current} />
                  {act.isPending && act.variables.id === match.id ? (
                    <Icon name="arc" size={14} className="turning" />
                  ) : (
                    <Keys match={match} position={position} isChosen={position === current} />
                  )}
                </div>
              </Fragment>
            ))}
            {isLoading && (
              <p role="status" className="flex items-center gap-2 p-4">
                <Icon name="arc" size={14} className="turning" />
                {subject.isLoading ? t('looking') : u('loading')}
              </p>
            )}
            {subject.error && <FailureNotice error={subject.error} />}
            {things.error && <FailureNotice error={things.error} />}
            {act.error && <FailureNotice error={act.error} />}
            {matches.length === 0 && !isLoading && <p className="p-4">{t('nothing', { query: typed })}</p>}
          </div>
          <footer className="flex h-10 shrink-0 items-center gap-3 border-t border-line px-5 text-meta text-text-3 max-tablet:hidden">
            <Hint keys={['↑', '↓']}>{t('move')}</Hint>
            <Hint keys={['↵']}>{t(matches[current]?.run ? 'do' : 'open')}</Hint>
            {matches[current]?.actions && <Hint keys={['Tab']}>{t('moreActions')}</Hint>}
            {subjectOfActions && <Hint keys={['Esc']}>{t('back')}</Hint>}
            <Hint keys={['>']}>{t('commands')}</Hint>
            <span className="ml-auto truncate">{t('paste')}</span>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function isOfLog({ link, id }: Match): boolean {
  return link?.to === '/messages' && (id === 'log' || id === 'person')
}

/** Icon, title and state. One that cannot be done says why in place of the hint. */
function MatchLine({ match, typed, isChosen }: { match: Match; typed: string; isChosen: boolean }) {
  const { icon, title, isCode, hint, aside, reason } = match
  return (
    <>
      <Icon name={icon} className={isChosen && reason === undefined ? 'text-accent' : 'text-text-3'} />
      <span className="flex min-w-0 flex-1 items-center gap-3 max-tablet:flex-col max-tablet:items-stretch max-tablet:gap-0">
        <span
          className={cx(
            'min-w-0 truncate font-medium tablet:shrink-0',
            isCode && 'font-mono text-meta',
            reason !== undefined && 'text-text-3',
          )}
        >
          <Marked text={title} typed={typed} />
        </span>
        <span className="min-w-0 truncate text-text-3">{reason ?? hint}</span>
      </span>
      {aside}
    </>
  )
}

/** The key that opens this line at once. */
function Keys({ match, position, isChosen }: { match: Match; position: number; isChosen: boolean }) {
  if (match.reason !== undefined) return null
  if (isChosen) return <Kbd>↵</Kbd>
  const key = isOfLog(match) ? '↵' : match.run && position >= 1 && position <= 8 ? String(position + 1) : undefined
  if (key === undefined) return null
  return (
    <span aria-hidden="true" className="flex gap-1">
      <Kbd>{MODIFIER_KEY}</Kbd>
      <Kbd>{key}</Kbd>
    </span>
  )
}

function Hint({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      {children}
    </span>
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
