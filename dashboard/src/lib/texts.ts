import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'

export const LANGUAGES = { en: 'English', 'pt-BR': 'Português' } as const
export type Language = keyof typeof LANGUAGES

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
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
})

function chooseLanguage(): Language {
  const stored = localStorage.getItem(STORED)
  if (stored === 'en' || stored === 'pt-BR') return stored
  return navigator.languages.find((language) => /^(?:pt|en)\b/.test(language))?.startsWith('pt') ? 'pt-BR' : 'en'
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

/** Portuguese has a third plural, for whole millions, which reads like the second. */
function addTexts(language: Language, name: string, texts: Record<string, string>): void {
  const many = Object.entries(texts)
    .filter(([key]) => key.endsWith('_other'))
    .map(([key, text]) => [key.replace(/_other$/, '_many'), text])
  i18next.addResourceBundle(language, name, { ...Object.fromEntries(many), ...texts })
}

export function useLanguage(): { language: Language; changeLanguage: (language: Language) => void } {
  const { i18n } = useTranslation()
  return { language: i18n.language as Language, changeLanguage }
}

export function currentLanguage(): Language {
  return i18next.language as Language
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
