import type { Channel } from '@hubline/sdk/console'
import { fold } from '../../lib/fold.ts'
import { listPages, type useNavigationTexts } from '../shell/navigation.ts'
import { matchChannels } from './channel-matches.tsx'
import type { Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'
import { matchSubjects } from './subject-matches.ts'
import type { FoundSubject } from './subject-query.ts'

type Surroundings = {
  isSandbox: boolean
  channels: readonly Channel[]
  found: FoundSubject | undefined
  t: ReturnType<typeof usePaletteTexts>
  n: ReturnType<typeof useNavigationTexts>
}

export function findMatches(typed: string, surroundings: Surroundings): Match[] {
  const wanted = fold(typed.trim())
  const { channels, found, t } = surroundings
  return [
    ...matchSubjects(typed, found, t),
    ...matchChannels(typed.trim(), channels, t),
    ...matchPages(wanted, surroundings),
  ]
}

function matchPages(wanted: string, { isSandbox, t, n }: Surroundings): Match[] {
  return listPages(isSandbox)
    .filter(({ key }) => fold(n(key)).includes(wanted))
    .map(({ key, icon, to }) => ({ id: to, group: t('pages'), icon, title: n(key), link: { to } }))
}
