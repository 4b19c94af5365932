import type { TextKey } from '@hubline/locales/catalog.ts'
import type { en, enPages } from '@hubline/locales/dashboard/en.ts'
import type { Language } from '@hubline/locales/languages.ts'
import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { formatNumber } from './format.ts'
import { isolate } from './isolate.ts'
import { findLanguage } from './languages.ts'
import { completeTexts } from './plurals.ts'

const STORED = 'hubline.language'

type PageTexts = { [Name in keyof typeof enPages]: Awaited<ReturnType<(typeof enPages)[Name]>> }
type Texts = typeof en & PageTexts
type Values = { count?: number } & Record<string, string | number>
export type Translate<Key> = (key: Key, values?: Values) => string

type Catalogs = {
  /** The texts that every page has. */
  texts: { [Name in keyof typeof en]: Record<string, string> }
  pages: Record<string, () => Promise<Record<string, string>>>
}

/** A person loads the texts of one language, and of the pages that they open. */
const LOADERS: Record<Language, () => Promise<Catalogs>> = {
  async en() {
    const { en: texts, enPages: pages } = await import('@hubline/locales/dashboard/en.ts')
    return { texts, pages }
  },
  async 'pt-BR'() {
    const { ptBR: texts, ptBRPages: pages } = await import('@hubline/locales/dashboard/pt-BR.ts')
    return { texts, pages }
  },
  async es() {
    const { es: texts, esPages: pages } = await import('@hubline/locales/dashboard/es.ts')
    return { texts, pages }
  },
}

/** The language of the page, or the one that it is about to have. */
let language = findOwnLanguage() ?? 'en'
/** The catalogs of the code that was loaded until now. */
const wanted = new Set<string>()

void i18next.use(initReactI18next).init({
  lng: language,
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

/** Resolves when the texts of all code that was loaded are there: what is shown earlier has keys instead of texts. */
export async function loadTexts(): Promise<void> {
  const loaded = language
  const missing = [...wanted].filter((name) => !i18next.hasResourceBundle(loaded, name))
  if (missing.length === 0) return
  const { texts, pages } = await LOADERS[loaded]()
  const catalogs: Record<string, Record<string, string>> = { ...texts }
  await Promise.all(
    missing.map(async (name) => {
      const found = catalogs[name] ?? (await pages[name]?.())
      i18next.addResourceBundle(loaded, name, completeTexts(found ?? {}))
    }),
  )
  // Meanwhile the person may have chosen another language, or more code may have come.
  await loadTexts()
}

/** Loads code, and the texts that it shows. */
export async function loadWithTexts<Code>(load: () => Promise<Code>): Promise<Code> {
  const code = await load()
  await loadTexts()
  return code
}

/** For a person of whom nothing better is known. It is not stored: the next organization may have another. */
export async function suggestLanguage(suggested: Language): Promise<void> {
  if (findOwnLanguage() === undefined && language !== suggested) await showLanguage(suggested)
}

async function showLanguage(next: Language): Promise<void> {
  const before = language
  language = next
  try {
    await loadTexts()
  } catch (err) {
    language = before
    throw err
  }
  await i18next.changeLanguage(language)
}

/** The hook for the texts of a part of the dashboard. They are loaded with the code that defines it. */
export function defineTexts<const Name extends keyof Texts>(name: Name): () => Translate<TextKey<keyof Texts[Name]>> {
  wanted.add(name)
  return () => useTranslation(name).t as unknown as Translate<TextKey<keyof Texts[Name]>>
}

export function useLanguage(): { language: Language; changeLanguage: (language: Language) => void } {
  const { i18n } = useTranslation()
  return { language: i18n.language as Language, changeLanguage }
}

function changeLanguage(chosen: Language): void {
  localStorage.setItem(STORED, chosen)
  // A hub that was updated meanwhile has other files, which the page knows after it was loaded again.
  showLanguage(chosen).catch(() => location.reload())
}

function markDocument(shown: string): void {
  document.documentElement.lang = shown
}
markDocument(i18next.language)
i18next.on('languageChanged', markDocument)
