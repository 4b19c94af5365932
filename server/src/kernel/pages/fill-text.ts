/** Puts values into the `{{places}}` of a text. A value that looks like a place stays as it is. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The text has no value for ${name}.`)
    return String(value)
  })
}
