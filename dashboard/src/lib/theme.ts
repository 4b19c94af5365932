import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const STORED = 'hubline.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

function isDark(): boolean {
  return readTheme() === 'system' ? prefersDark.matches : readTheme() === 'dark'
}

function applyTheme(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light'
  for (const listener of listeners) listener()
}
prefersDark.addEventListener('change', applyTheme)
// Another tab has chosen.
addEventListener('storage', ({ key }) => {
  if (key === STORED) applyTheme()
})
applyTheme()

export function changeTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme)
  applyTheme()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTheme(): { theme: Theme; isDark: boolean } {
  const theme = useSyncExternalStore(subscribe, readTheme)
  return { theme, isDark: useSyncExternalStore(subscribe, isDark) }
}
