import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { lazyPage } from '../lazy-page.ts'
import { PageFailure } from '../page-states.tsx'
import { usePaletteTexts } from './palette-texts.ts'

type PaletteProps = { onClose: () => void }

const Palette = lazyPage<'Palette', PaletteProps>(() => import('./palette.tsx'), 'Palette')

/** Loads the code of the palette after that of the first page, so that it is there when it is asked for. */
export function usePreloadedPalette(): void {
  useEffect(() => void Palette.preload(), [])
}

/** A palette whose code could not be loaded says so, and the page behind it stays. */
export function LazyPalette({ onClose }: PaletteProps) {
  const t = usePaletteTexts()
  function Failure(failure: ErrorComponentProps) {
    return (
      <Dialog title={t('title')} onClose={onClose}>
        <PageFailure {...failure} />
      </Dialog>
    )
  }
  return (
    <CatchBoundary getResetKey={() => 'palette'} errorComponent={Failure}>
      <Suspense fallback={null}>
        <Palette onClose={onClose} />
      </Suspense>
    </CatchBoundary>
  )
}
