import type { Inline, Target } from '../src/features/docs/content.ts'

/** Finds where a link leads; undefined for an address that is no part of the documentation, whose words then stand alone. */
export type FindTarget = (address: string) => Target | undefined
/** Finds the operation that a piece of code names, such as `POST /api/v1/webhooks`. */
export type FindOperation = (code: string) => string | undefined
export type Surroundings = { findTarget: FindTarget; findOperation: FindOperation }

const CODE = /^(`+)(?!`)([\s\S]*?[^`])\1(?!`)/
const STRONG = /^\*\*(?=[^\s*])((?:`[^`]*`|[^*`])*)(?<=\S)\*\*(?!\*)/
const EMPHASIS = /^\*(?=[^\s*])([^*]*[^\s*])\*(?!\*)/
/** The text may have code with brackets. */
const LINK = /^\[((?:`[^`]*`|[^\][`])*)\]\(<?([^()\s>]*)>?\)/
const ESCAPED = /^\\([!-/:-@[-`{-~])/
const PLAIN = /^(?:[^\\`*[]+|[\s\S])/

/** Text with code, emphasis and links. All other characters stay text, also those of HTML. */
export function parseInline(text: string, surroundings: Surroundings): Inline[] {
  const found: Inline[] = []
  let rest = text
  while (rest !== '') {
    const [length, part] = readPart(rest, surroundings)
    rest = rest.slice(length)
    const last = found.at(-1)
    if (typeof part !== 'string') found.push(...(Array.isArray(part) ? part : [part]))
    else if (typeof last === 'string') found[found.length - 1] = last + part
    else found.push(part)
  }
  return found
}

function readPart(rest: string, surroundings: Surroundings): [number, Inline | Inline[]] {
  const escaped = ESCAPED.exec(rest)
  if (escaped) return [escaped[0].length, escaped[1] ?? '']
  const code = CODE.exec(rest)
  if (code) return [code[0].length, toCode(code[2] ?? '', surroundings)]
  const strong = STRONG.exec(rest)
  if (strong) return [strong[0].length, { strong: parseInline(strong[1] ?? '', surroundings) }]
  const emphasis = EMPHASIS.exec(rest)
  if (emphasis) return [emphasis[0].length, { em: parseInline(emphasis[1] ?? '', surroundings) }]
  const link = LINK.exec(rest)
  if (link) {
    const [whole, label = '', address = ''] = link
    // Code in a link would be a link in a link.
    const text = parseInline(label, { ...surroundings, findOperation: () => undefined })
    const target = surroundings.findTarget(address)
    return [whole.length, target ? { link: target, text } : text]
  }
  const [plain = rest] = PLAIN.exec(rest) ?? []
  return [plain.length, plain]
}

function toCode(text: string, { findOperation }: Surroundings): Inline {
  const code = { code: text.replaceAll('\n', ' ').replace(/^ (.*\S.*) $/, '$1') }
  const operation = findOperation(code.code)
  return operation === undefined ? code : { link: { operation }, text: [code] }
}

/** Web pages and mail. Any other scheme, such as `javascript:`, leads nowhere. */
export function toWebTarget(address: string): Target | undefined {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(address) ? { url: address } : undefined
}

export function toPlainText(inlines: readonly Inline[]): string {
  return inlines
    .map((one) => {
      if (typeof one === 'string') return one
      if ('code' in one) return one.code
      return toPlainText('strong' in one ? one.strong : 'em' in one ? one.em : one.text)
    })
    .join('')
}
