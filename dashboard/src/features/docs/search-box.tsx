import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useLanguage } from '../../lib/texts.ts'
import { Kbd } from '../../ui/controls/filters.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Target } from './content.ts'
import { indexQuery } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'
import { markWords, type Piece, type Result, readWords, searchDocs } from './search.ts'

/** Finds headings of guides and operations. The index is loaded when the field has the focus for the first time. */
export function DocsSearch() {
  const t = useDocsTexts()
  const id = useId()
  const navigate = useNavigate()
  const { language } = useLanguage()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const { data: index, error } = useQuery({ ...indexQuery(language), enabled: isOpen })
  const query = useDeferredValue(typed.trim())
  const results = index && isOpen ? searchDocs(index, query) : []
  const isShown = isOpen && typed.trim() !== ''

  function open(result: Result | undefined): void {
    if (!result) return
    setOpen(false)
    setTyped('')
    void navigate(toLink(result.entry.target))
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && results.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + results.length) % results.length)
    }
    if (event.key === 'Enter' && results[chosen]) {
      open(results[chosen])
      event.currentTarget.blur()
    }
    if (event.key === 'Escape') {
      setTyped('')
      event.currentTarget.blur()
    }
  }

  return (
    <search
      className="relative"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <label className="flex h-8 items-center gap-2 rounded-control border border-ctl bg-surface px-2 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent max-tablet:h-11">
        <Icon name="search" size={14} className="text-text-3" />
        <input
          data-search
          role="combobox"
          aria-label={t('search')}
          aria-expanded={isShown}
          aria-controls={`${id}-results`}
          aria-activedescendant={isShown && results.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('search')}
          value={typed}
          onFocus={() => setOpen(true)}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
            setOpen(true)
          }}
          onKeyDown={handleKey}
          className="min-w-0 flex-1 bg-transparent text-text outline-none"
        />
        <span aria-hidden="true" className="max-tablet:hidden">
          <Kbd>/</Kbd>
        </span>
      </label>
      <div
        id={`${id}-results`}
        role="listbox"
        aria-label={t('results')}
        hidden={!isShown || results.length === 0}
        className="enter absolute top-full left-0 z-30 mt-1 max-h-[70dvh] w-140 max-w-[calc(100vw-32px)] overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-2"
      >
        {results.map((result, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field choose among the options.
          <div
            key={position}
            id={`${id}-${position}`}
            ref={position === chosen ? scrollIntoSight : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={position === chosen}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(result)}
            onPointerMove={() => setChosen(position)}
            className={cx(
              'flex cursor-pointer flex-col gap-0.5 rounded-control border px-3 py-2',
              position === chosen ? 'border-accent-line bg-selected' : 'border-transparent',
            )}
          >
            <ResultView result={result} query={query} />
          </div>
        ))}
      </div>
      {isShown && results.length === 0 && (
        <div
          role="status"
          className="enter absolute top-full left-0 z-30 mt-1 w-100 max-w-[calc(100vw-32px)] rounded-card border border-line bg-raised p-4 shadow-2"
        >
          {error ? (
            <p className="text-danger">{t('searchFailed')}</p>
          ) : index ? (
            <>
              <p className="font-medium text-text">{t('noResults', { query: typed.trim() })}</p>
              <p className="mt-1">{t('noResultsText')}</p>
            </>
          ) : (
            <p>{t('searching')}</p>
          )}
        </div>
      )}
    </search>
  )
}

function toLink(target: Target) {
  if ('operation' in target) return { to: '/docs/reference/$operation', params: target } as const
  const guide = 'guide' in target ? target.guide : 'quick-start'
  const hash = 'guide' in target ? target.heading : undefined
  return { to: '/docs/$guide', params: { guide }, ...(hash !== undefined && { hash }) } as const
}

function scrollIntoSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

function ResultView({ result: { entry, context }, query }: { result: Result; query: string }) {
  const { title, section, target } = entry
  const words = readWords(query)
  const isOperation = 'operation' in target
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium text-text">
          <Pieces pieces={markWords(isOperation ? title : (section ?? title), words)} />
        </span>
        {section !== undefined && (
          <span className={cx('text-meta break-all text-text-3', isOperation && 'font-mono')}>
            {isOperation ? section : title}
          </span>
        )}
      </span>
      {context.length > 0 && (
        <span className="text-meta text-text-2">
          <Pieces pieces={context} />
        </span>
      )}
    </>
  )
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return pieces.map(({ text, isFound }, position) =>
    isFound ? (
      <mark key={position} className="bg-transparent font-semibold text-accent">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}
