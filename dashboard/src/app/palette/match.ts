import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IconName } from '../../ui/icon.tsx'

export type Match = {
  id: string
  group: string
  icon: IconName
  title: string
  hint?: string
  aside?: ReactNode
  link: LinkProps
}
