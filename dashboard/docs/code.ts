import type { CodeBlock, CodePart } from '../src/features/docs/content.ts'
import type { FindOperation } from './inline.ts'

/** Written in the guides for the values that a reader has: each becomes a place that the page fills. */
const PLACES: readonly (readonly [RegExp, CodePart])[] = [
  [/http:\/\/localhost:8080/, { value: 'origin' }],
  [/(?<=\/channels\/)<[^<>]+>|\{channel_id\}/, { value: 'channel' }],
  [/(?<=HUB_CHANNEL=)[0-9a-f-]{36}/, { value: 'channel' }],
  [/<phone_number_id>/, { value: 'phone' }],
  [/<waba_id>/, { value: 'waba' }],
]
/** Code that connects a number: its ids are not those of a channel that the reader has already. */
const CONNECTS_NUMBER = /<access_token>/
const PLACES_WHILE_CONNECTING = PLACES.slice(0, 3)
const JSON_TOKEN = /("(?:\\.|[^"\\\n])*")(\s*:)?|\b(-?\d+(?:\.\d+)?|true|false|null)\b/
const BODY = /-d '[^']*'/
const LINE_LENGTH = 76
/** The space before an option of curl. */
const OPTION = /(?<=\S) (?=-[HdF] )/g
const COMMENT = /(?:^|(?<=\s))#[^\n]*/
/** Up to the end of the line, or of those that a backslash joins. */
const CALL = /\bcurl\b((?:[^\n\\]|\\[\s\S])*)/

export function readCode(text: string, language: string, findOperation: FindOperation): CodeBlock {
  const operation = language === 'sh' ? findCalled(text, findOperation) : undefined
  const shown = language === 'sh' ? breakLines(text) : text
  return { kind: 'code', language, parts: splitCode(shown, language), ...(operation !== undefined && { operation }) }
}

/** The code in pieces: places to fill, names and values of JSON, comments, and all other text. */
export function splitCode(text: string, language: string): CodePart[] {
  const places = CONNECTS_NUMBER.test(text) ? PLACES_WHILE_CONNECTING : PLACES
  return places.reduce(
    (parts, [pattern, place]) => parts.flatMap((part) => fill(part, pattern, place)),
    color(text, language),
  )
}

function color(text: string, language: string): CodePart[] {
  if (language === 'json') return colorJson(text)
  if (language !== 'sh') return [text]
  return cut(text, COMMENT, (comment) => [{ token: 'comment', text: comment }]).flatMap((part) =>
    typeof part === 'string' ? cut(part, BODY, colorJson) : [part],
  )
}

function fill(part: CodePart, pattern: RegExp, place: CodePart): CodePart[] {
  if (typeof part === 'string') return cut(part, pattern, () => [place])
  if (!('token' in part)) return [part]
  return cut(part.text, pattern, () => [place]).map((one) => (typeof one === 'string' ? { ...part, text: one } : one))
}

/** A text with each match of the pattern replaced. */
function cut(text: string, pattern: RegExp, replace: (match: string) => CodePart[]): CodePart[] {
  const parts: CodePart[] = []
  let end = 0
  for (const match of text.matchAll(new RegExp(pattern, 'g'))) {
    parts.push(text.slice(end, match.index), ...replace(match[0]))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)].filter((part) => part !== '')
}

function colorJson(text: string): CodePart[] {
  return cut(text, JSON_TOKEN, (match) => {
    const [, quoted, colon, literal] = JSON_TOKEN.exec(match) ?? []
    if (quoted === undefined) return [{ token: 'literal', text: literal ?? match }]
    return colon === undefined ? [{ token: 'text', text: quoted }] : [{ token: 'name', text: quoted }, colon]
  })
}

/** Options of a long command stand on lines of their own: a page that broke the line would break it at a hyphen. */
function breakLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.length > LINE_LENGTH && !line.startsWith('#') ? line.replaceAll(OPTION, ' \\\n  ') : line))
    .join('\n')
}

/** The operation of the first call of curl. */
function findCalled(text: string, findOperation: FindOperation): string | undefined {
  const [, call = ''] = CALL.exec(text) ?? []
  const [, path] = /http:\/\/localhost:8080(\/(?:<[^>]+>|[^\s"'?<])*)/.exec(call) ?? []
  if (path === undefined) return undefined
  const [, given] = /-X ([A-Z]+)/.exec(call) ?? []
  const method = given ?? (/\s-(?:d|F)\s/.test(call) ? 'POST' : 'GET')
  return findOperation(`${method} ${path}`)
}
