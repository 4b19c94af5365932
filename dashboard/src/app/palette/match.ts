import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { fold } from '../../lib/fold.ts'
import type { IconName } from '../../ui/icon.tsx'

/** One line of the palette: it leads to a page, or does something and may lead to a page then. */
export type Match = {
  id: string
  group: string
  icon: IconName
  title: string
  /** The title is a name that programs use. */
  isCode?: boolean
  hint?: string
  aside?: ReactNode
  link?: LinkProps
  run?: () => Promise<LinkProps | undefined>
  /** The reason why it cannot be done now. */
  reason?: string | undefined
  /** It is not chosen before a person moves to it or types its first word. */
  isCareful?: boolean
  /** The actions on it, behind the key Tab. */
  actions?: readonly Match[]
}

export function includesText(text: string, typed: string): boolean {
  return fold(text).includes(fold(typed))
}

/** The first that Enter may open: not one that cannot be done, nor one that asks for care. */
export function findFirst(matches: readonly Match[], typed: string): number {
  const wanted = fold(typed.trim())
  const first = matches.findIndex(({ title, reason, isCareful }) => {
    return reason === undefined && (!isCareful || (wanted !== '' && fold(title).startsWith(wanted)))
  })
  return Math.max(0, first)
}
