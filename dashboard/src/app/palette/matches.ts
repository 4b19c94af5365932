import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fold } from '../../lib/fold.ts'
import type { IconName } from '../../ui/icon.tsx'
import { NAVIGATION, type useNavigationTexts } from '../shell/navigation.ts'
import type { usePaletteTexts } from './palette-texts.ts'

export type Match = {
  id: string
  group: string
  icon: IconName
  title: string
  hint?: string
  aside?: ReactNode
  link: LinkProps
}

type Surroundings = {
  isSandbox: boolean
  t: ReturnType<typeof usePaletteTexts>
  n: ReturnType<typeof useNavigationTexts>
}

export function findMatches(typed: string, surroundings: Surroundings): Match[] {
  const wanted = fold(typed.trim())
  return matchPages(wanted, surroundings)
}

function matchPages(wanted: string, { isSandbox, t, n }: Surroundings): Match[] {
  return NAVIGATION.flatMap(({ items }) => items)
    .filter(({ key, isSandboxOnly }) => (!isSandboxOnly || isSandbox) && fold(n(key)).includes(wanted))
    .map(({ key, icon, to }) => ({ id: to, group: t('pages'), icon, title: n(key), link: { to } }))
}
