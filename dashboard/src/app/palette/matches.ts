import type { Role } from '../../api/role-scopes.ts'
import { parseSubject } from '../../features/messages/search.ts'
import { listPages, type useNavigationTexts } from '../shell/navigation.ts'
import { matchActions } from './action-matches.ts'
import { matchChannels } from './channel-matches.tsx'
import { includesText, type Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'
import { matchSubjects } from './subject-matches.ts'
import type { FoundSubject } from './subject-query.ts'
import { matchThings } from './thing-matches.tsx'
import type { PaletteActions } from './use-actions.ts'
import type { Things } from './use-things.ts'

/** Fewer letters are in most of the commands. */
const COMMAND_LETTERS_MIN = 3

type Surroundings = {
  isSandbox: boolean
  things: Things
  actions: PaletteActions
  commands: readonly Match[]
  found: FoundSubject | undefined
  roleName: (role: Role) => string
  t: ReturnType<typeof usePaletteTexts>
  n: ReturnType<typeof useNavigationTexts>
}

/** Actions first, then things by kind, then pages, and the message log last. */
export function findMatches(typed: string, surroundings: Surroundings): Match[] {
  const { things, actions, commands, found, t } = surroundings
  const wanted = typed.trim()
  if (wanted.startsWith('>')) return commands.filter(({ title }) => includesText(title, wanted.slice(1).trim()))
  const named = wanted.length < COMMAND_LETTERS_MIN ? [] : commands.filter(({ title }) => includesText(title, wanted))
  return [
    ...matchSubjects(typed, found, t),
    ...matchActions(wanted, things, actions, t),
    ...named,
    ...matchChannels(wanted, things.channels, actions, t),
    ...matchThings(wanted, things, surroundings),
    ...matchPages(wanted, surroundings),
    ...matchLog(wanted, t),
  ]
}

function matchPages(wanted: string, { isSandbox, t, n }: Surroundings): Match[] {
  return listPages(isSandbox)
    .filter(({ key }) => includesText(n(key), wanted))
    .map(({ key, icon, to }) => ({ id: to, group: t('pages'), icon, title: n(key), link: { to } }))
}

/** A name. Numbers and ids lead to their messages as subjects. */
function matchLog(wanted: string, t: Surroundings['t']): Match[] {
  const { name } = parseSubject(wanted)
  if (name === undefined) return []
  const title = t('findInLog', { query: wanted })
  const link = { to: '/messages', search: { name } } as const
  return [{ id: 'log', group: t('messages'), icon: 'message', title, hint: t('findInLogHint'), link }]
}
