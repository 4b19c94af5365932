import { LANGUAGES, type Language } from '@hubline/locales/languages.ts'

/** The language of a guide, if it is not that of the pages. */
export function parseGuideSearch({ language }: Record<string, unknown>): { language?: Language } {
  const found = LANGUAGES.find((one) => one === language)
  return found ? { language: found } : {}
}

/** `/docs#/Messages/sendMessage` was the address of an operation, and is in people's notes. */
export function readFormerAddress(hash: string): string | undefined {
  return /^\/[^/]+\/(\w+)$/.exec(hash)?.[1]
}
