/** A text as one word of a shell, which runs nothing of it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
