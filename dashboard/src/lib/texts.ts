import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import { isolate } from './isolate.ts'
import type { Language } from './languages.ts'
import { completeTexts } from './plurals.ts'

const STORED = 'hubline.language'

/** `files_one` and `files_other` are the forms of `files`. */
type Base<Key extends string> = Key extends `${infer Name}_${'one' | 'other'}` ? Name : Key
type Values = { count?: number } & Record<string, string | number>
export type Translate<Key extends string> = (key: Key, values?: Values) => string

void i18next.use(initReactI18next).init({
  lng: chooseLanguage(),
  fallbackLng: false,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  // React escapes what it shows, so that this is only about the direction of names.
  interpolation: { escape: isolate },
  react: { useSuspense: false },
})

function chooseLanguage(): Language {
  return findOwnLanguage() ?? 'en'
}

/** What the person has chosen, else what the browser asks for, if it is one of ours. */
function findOwnLanguage(): Language | undefined {
  const stored = localStorage.getItem(STORED)
  if (stored === 'en' || stored === 'pt-BR') return stored
  const asked = navigator.languages.find((language) => /^(?:pt|en)\b/.test(language))
  if (asked === undefined) return undefined
  return asked.startsWith('pt') ? 'pt-BR' : 'en'
}

/** For a person of whom nothing better is known. It is not stored: the next organization may have another. */
export function suggestLanguage(language: Language): void {
  if (findOwnLanguage() === undefined && i18next.language !== language) void i18next.changeLanguage(language)
}

/** The texts of a part of the dashboard in every language. A language that lacks one does not compile. */
export function defineTexts<const English extends Record<string, string>>(
  name: string,
  english: English,
  portuguese: { [Key in keyof English]: string },
): () => Translate<Base<keyof English & string>> {
  addTexts('en', name, english)
  addTexts('pt-BR', name, portuguese)
  return () => useTranslation(name).t as unknown as Translate<Base<keyof English & string>>
}

function addTexts(language: Language, name: string, texts: Record<string, string>): void {
  i18next.addResourceBundle(language, name, completeTexts(texts))
}

export function useLanguage(): { language: Language; changeLanguage: (language: Language) => void } {
  const { i18n } = useTranslation()
  return { language: i18n.language as Language, changeLanguage }
}

function changeLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
  void i18next.changeLanguage(language)
}

function markDocument(language: string): void {
  document.documentElement.lang = language
}
markDocument(i18next.language)
i18next.on('languageChanged', markDocument)
