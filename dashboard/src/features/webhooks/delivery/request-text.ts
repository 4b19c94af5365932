import { shellQuote } from '../../../lib/shell-quote.ts'

/** The text in base64; undefined where its bytes are no text. */
export function decodeBase64(base64: string): string | undefined {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The size of the bytes in base64. */
export function countBytes(base64: string): number {
  return atob(base64).length
}

/** JSON with its lines, other texts as they are. */
export function prettify(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** One a line, as logs have them. */
export function writeHeaders(headers: Record<string, unknown>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** The request of an attempt as a command line, with the signature that it had. */
export function writeDeliveryCurl(url: string, headers: Record<string, unknown>, body: string): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !/^(?:accept-encoding|content-length|host|connection)$/i.test(name))
    .map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`)
  return [`curl -X POST ${shellQuote(url)}`, ...lines, `--data-binary ${shellQuote(body)}`].join(' \\\n  ')
}
