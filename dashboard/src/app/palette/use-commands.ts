import { LANGUAGE_NAMES, LANGUAGES } from '@hubline/locales/languages.ts'
import { useSignOut } from '../../api/session.ts'
import { useLanguage } from '../../lib/texts.ts'
import { changeTheme, THEMES } from '../../lib/theme.ts'
import { showToast } from '../../ui/states/toasts.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useShellTexts } from '../shell/shell-texts.ts'
import type { Match } from './match.ts'
import { usePaletteTexts } from './palette-texts.ts'

const THEME_ICONS = { system: 'monitor', light: 'sun', dark: 'moon' } as const

/** Theme, language and sign-out, which `>` lists. */
export function useCommands(): Match[] {
  const t = usePaletteTexts()
  const u = useUiTexts()
  const s = useShellTexts()
  const { changeLanguage } = useLanguage()
  const signOut = useSignOut(() => showToast(s('signOutFailed')))
  const group = t('actions')
  /** Does it at once and leads nowhere. */
  const at = (act: () => void) => async () => {
    act()
    return undefined
  }
  return [
    ...THEMES.map(
      (theme): Match => ({
        id: `theme-${theme}`,
        group,
        icon: THEME_ICONS[theme],
        title: t('command', { name: u('theme'), value: u(theme) }),
        run: at(() => changeTheme(theme)),
      }),
    ),
    ...LANGUAGES.map(
      (code): Match => ({
        id: `language-${code}`,
        group,
        icon: 'globe',
        title: t('command', { name: u('language'), value: LANGUAGE_NAMES[code] }),
        run: at(() => changeLanguage(code)),
      }),
    ),
    { id: 'sign-out', group, icon: 'external', title: s('signOut'), isCareful: true, run: at(() => signOut.mutate()) },
  ]
}
