import { asText, type JsonObject } from '../../json.ts'

/** The distinct names between double braces, in order of first appearance. */
export function listVariables(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map((match) => match[1] ?? ''))]
}

/** Component types are case-insensitive. */
export function findComponent(components: readonly JsonObject[], type: string): JsonObject | undefined {
  return components.find((component) => asText(component.type).toUpperCase() === type)
}
