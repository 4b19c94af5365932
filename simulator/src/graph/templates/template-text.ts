import { asText, type JsonObject } from '../../json.ts'

/** The names between double braces, each once, in the order in which they first appear. */
export function listVariables(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map((match) => match[1] ?? ''))]
}

/** Component types are written in either case. */
export function findComponent(components: readonly JsonObject[], type: string): JsonObject | undefined {
  return components.find((component) => asText(component.type).toUpperCase() === type)
}
