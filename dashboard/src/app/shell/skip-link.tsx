import { useShellTexts } from './shell-texts.ts'

/** The first thing that the keyboard reaches. */
export function SkipLink() {
  const t = useShellTexts()
  return (
    <a
      href="#content"
      className="sr-only z-60 rounded-control bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t('skip')}
    </a>
  )
}
