import type { TextKey } from '@hubline/locales/catalog.ts'
import type { en } from '@hubline/locales/dashboard/en.ts'
import type { Language } from '@hubline/locales/languages.ts'
import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { formatNumber } from './format.ts'
import { isolate } from './isolate.ts'
import { findLanguage } from './languages.ts'
import { completeTexts } from './plurals.ts'

const STORED = 'hubline.language'

type Texts = typeof en
type Values = { count?: number } & Record<string, string | number>
export type Translate<Key> = (key: Key, values?: Values) => string

/** A person loads the texts of one language. */
const LOADERS: Record<Language, () => Promise<{ [Name in keyof Texts]: Record<string, string> }>> = {
  en: async () => (await import('@hubline/locales/dashboard/en.ts')).en,
  'pt-BR': async () => (await import('@hubline/locales/dashboard/pt-BR.ts')).ptBR,
  es: async () => (await import('@hubline/locales/dashboard/es.ts')).es,
}

void i18next.use(initReactI18next).init({
  lng: findOwnLanguage() ?? 'en',
  fallbackLng: false,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  // React escapes what it shows, so that this is only about the direction of names.
  interpolation: { escape: isolate },
  react: { useSuspense: false },
})

// Counts in a text have the same separators as all other numbers.
i18next.services.formatter?.add('number', (value: number) => formatNumber(value))

/** Returns the language that the person has chosen, else the one the browser asks for, if it is one of ours. */
function findOwnLanguage(): Language | undefined {
  return findLanguage([localStorage.getItem(STORED) ?? '']) ?? findLanguage(navigator.languages)
}

/** Resolves when the texts of the first page are there: a page that is shown earlier has keys instead of texts. */
export const textsReady = loadTexts(i18next.language as Language)

async function loadTexts(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'ui')) return
  for (const [name, texts] of Object.entries(await LOADERS[language]())) {
    i18next.addResourceBundle(language, name, completeTexts(texts))
  }
}

/** For a person of whom nothing better is known. It is not stored: the next organization may have another. */
export async function suggestLanguage(language: Language): Promise<void> {
  if (findOwnLanguage() === undefined && i18next.language !== language) await showLanguage(language)
}

async function showLanguage(language: Language): Promise<void> {
  await loadTexts(language)
  await i18next.changeLanguage(language)
}

/** The hook for the texts of a part of the dashboard. */
export function defineTexts<const Name extends keyof Texts>(name: Name): () => Translate<TextKey<keyof Texts[Name]>> {
  return () => useTranslation(name).t as unknown as Translate<TextKey<keyof Texts[Name]>>
}

export function useLanguage(): { language: Language; changeLanguage: (language: Language) => void } {
  const { i18n } = useTranslation()
  return { language: i18n.language as Language, changeLanguage }
}

function changeLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
  // A hub that was updated meanwhile has other files, which the page knows after it was loaded again.
  showLanguage(language).catch(() => location.reload())
}

function markDocument(language: string): void {
  document.documentElement.lang = language
}
markDocument(i18next.language)
i18next.on('languageChanged', markDocument)
