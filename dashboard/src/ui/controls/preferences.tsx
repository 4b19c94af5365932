import { LANGUAGE_NAMES, LANGUAGES } from '@hubline/locales/languages.ts'
import { useLanguage } from '../../lib/texts.ts'
import { changeTheme, THEMES, useTheme } from '../../lib/theme.ts'
import { Icon } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'
import { IconButton } from './button.tsx'
import { Menu } from './menu.tsx'

export function ThemeMenu() {
  const t = useUiTexts()
  const { theme, isDark } = useTheme()
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={isDark ? 'sun' : 'moon'} label={t('theme')} />}
      items={THEMES.map((name) => ({ label: t(name), isChecked: name === theme, onSelect: () => changeTheme(name) }))}
    />
  )
}

export function LanguageMenu() {
  const t = useUiTexts()
  const { language, changeLanguage } = useLanguage()
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          title={t('language')}
          className="inline-flex h-7 items-center gap-1.5 rounded-control px-2 font-medium text-text-2 hover:bg-hover hover:text-text"
        >
          <Icon name="globe" size={14} />
          {language.slice(0, 2).toUpperCase()}
          <span className="sr-only">{t('language')}</span>
        </button>
      }
      items={LANGUAGES.map((code) => ({
        label: LANGUAGE_NAMES[code],
        isChecked: code === language,
        onSelect: () => changeLanguage(code),
      }))}
    />
  )
}
