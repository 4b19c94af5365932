import { TRANSLATIONS } from './translations.js'

/** The first of the browser's languages that the page has texts for. */
export function findPreferredLanguage(languages, fallback = 'en') {
  const known = Object.keys(TRANSLATIONS)
  const matches = languages.map((language) => known.find((name) => readBase(name) === readBase(language)))
  return matches.find((name) => name !== undefined) ?? fallback
}

function readBase(language) {
  return language.toLowerCase().split('-')[0]
}
