import type { Language } from '@hubline/locales/languages.ts'

export type Parameters = Readonly<Record<string, string | number>>

/** Puts values into the places of a text. A value that looks like a place stays as it is. */
export function fill(text: string, parameters: Parameters): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(parameters[name] ?? place))
}

/** The text of a reason, in the form for its `count` if it has plural forms. */
export function findText(
  texts: Readonly<Record<string, string>>,
  reason: string,
  parameters: Parameters,
  language: Language,
): string | undefined {
  const rule = new Intl.PluralRules(language).select(Number(parameters.count ?? 0))
  const text = texts[reason] ?? texts[`${reason}_${rule === 'one' ? 'one' : 'other'}`]
  return text === undefined ? undefined : fill(text, parameters)
}
