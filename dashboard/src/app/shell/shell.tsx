import { Outlet, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { lacksSecondFactor, sessionQuery, useSession } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { moveInList, useShortcuts } from '../../lib/shortcuts.ts'
import { loadWithTexts } from '../../lib/texts.ts'
import { startLive, useGoneSince } from '../../live/live.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import type { Palette } from '../palette/palette.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { DeletionBanner } from './deletion-banner.tsx'
import { focusSearch } from './focus-search.ts'
import { GoneBanner } from './gone-banner.tsx'
import { HeldBanner } from './held-banner.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { MoneyBanner } from './money-banner.tsx'
import { listPages } from './navigation.ts'
import { SideBar } from './side-bar.tsx'
import { SkipLink } from './skip-link.tsx'
import { TopBar } from './top-bar.tsx'

const SEQUENCE_MS = 1500

/** The frame of every page: navigation, search, keys, and the stream of changes. */
export function Shell() {
  const session = useSession()
  const { organization } = session
  const [overlay, setOverlay] = useState<'palette' | 'keyboard'>()
  const palette = usePaletteCode(overlay === 'palette')

  const isGone = useGoneSince() !== undefined
  const isLocked = lacksSecondFactor(session)
  useEffect(() => (isLocked ? undefined : startLive(organization.id)), [organization.id, isLocked])
  // A stream that ended may have ended with the session.
  useLiveQueries(sessionQuery.queryKey, () => false)
  useEffect(() => {
    function openPalette(event: KeyboardEvent): void {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      // Another page would take a dialog away, and with it a secret that is shown once.
      const hasDialog = document.querySelector('[role=dialog]') !== null
      setOverlay((open) => (open === undefined && !hasDialog ? 'palette' : open === 'palette' ? undefined : open))
    }
    addEventListener('keydown', openPalette)
    return () => removeEventListener('keydown', openPalette)
  }, [])

  useShortcuts({
    '?': () => setOverlay('keyboard'),
    '/': focusSearch,
    j: () => moveInList(1, findOpenRow()),
    k: () => moveInList(-1, findOpenRow()),
  })
  useGoKeys()

  return (
    <div className="flex h-dvh max-tablet:flex-col">
      <SkipLink />
      <SideBar onSearch={() => setOverlay('palette')} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TopBar onSearch={() => setOverlay('palette')} onHelp={() => setOverlay('keyboard')} />
        <DeletionBanner />
        <HeldBanner />
        <GoneBanner />
        <MoneyBanner />
        <main
          id="content"
          tabIndex={-1}
          data-stale={isGone || undefined}
          className="relative min-h-0 flex-1 overflow-y-auto outline-none"
        >
          <Outlet />
        </main>
      </div>
      <BottomBar />
      {overlay === 'palette' && palette && <palette.Palette onClose={() => setOverlay(undefined)} />}
      {overlay === 'keyboard' && <KeyboardHelp onClose={() => setOverlay(undefined)} />}
    </div>
  )
}

/** The first page does not wait for the code of the palette. An attempt that failed is repeated when the palette is opened. */
function usePaletteCode(isWanted: boolean): { Palette: typeof Palette } | undefined {
  const [code, setCode] = useState<{ Palette: typeof Palette }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening it is another attempt.
  useEffect(() => {
    if (code === undefined) void loadWithTexts(() => import('../palette/palette.tsx')).then(setCode, () => undefined)
  }, [code, isWanted])
  return code
}

/** `g` and then the letter of a page. */
function useGoKeys(): void {
  const navigate = useNavigate()
  const isSandbox = useSandbox()
  const goSince = useRef(0)
  const letters = listPages(isSandbox).flatMap(({ letter, to }) => {
    function go(): void {
      const isSequence = Date.now() - goSince.current <= SEQUENCE_MS
      goSince.current = 0
      if (isSequence) void navigate({ to })
    }
    return letter === undefined ? [] : [[letter, go] as const]
  })
  useShortcuts({
    ...Object.fromEntries(letters),
    g: () => {
      goSince.current = Date.now()
    },
  })
}

function findOpenRow(): string | undefined {
  return document.querySelector('[data-row][aria-current=true]')?.getAttribute('data-row') ?? undefined
}
