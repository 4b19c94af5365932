/** Texts as i18next takes them: counts are written in the language's digits, and every plural form is there. */
export function completeTexts(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => {
      const formatted = text.replaceAll('{{count}}', '{{count, number}}')
      // Portuguese and Spanish have a third plural, for whole millions, and people write none of something in the plural too.
      return key.endsWith('_other')
        ? [
            [key, formatted],
            [key.replace(/_other$/, '_many'), formatted],
            [key.replace(/_other$/, '_zero'), formatted],
          ]
        : [[key, formatted]]
    }),
  )
}
