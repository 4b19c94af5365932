/** Sentences of the hub by their English, where `*` stands for what differs each time. */
export type Sentences = Readonly<Record<string, string>>

/** Finds the translation of a sentence, with its values in the places of `*`; undefined for one that is not known. */
export function createSentenceFinder(sentences: Sentences): (sentence: string) => string | undefined {
  const patterns = Object.entries(sentences).map(([english, translation]) => ({
    pattern: new RegExp(`^${english.split('*').map(escapePattern).join('(.+?)')}$`),
    translation,
  }))
  return (sentence) => {
    for (const { pattern, translation } of patterns) {
      const values = pattern.exec(sentence)?.slice(1)
      if (values) return translation.replace(/\*/g, () => values.shift() ?? '')
    }
    return undefined
  }
}

export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
