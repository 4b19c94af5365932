export type Token = {
  kind: 'word' | 'number' | 'string' | 'template' | 'template-rest' | 'regex' | 'mark'
  text: string
  /** What a string says once its escapes are resolved; absent for a template that has substitutions. */
  value?: string
  line: number
}

const BLANK = /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y
const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy
const NUMBER = /\d[\w.]*/y
// An unclosed quote ends with its line, so that an apostrophe in JSX text costs one line and not the rest of the file.
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y
const TEMPLATE = /`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y
const TEMPLATE_REST = /\}(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y
const REGEX = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const MARK = /=>|\?\.|\.\.\.|[\s\S]/y

const WORDS_BEFORE_A_VALUE = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
)

/**
 * Cuts TypeScript into tokens, well enough to find imports, tags and calls: comments vanish, and what stands inside a
 * string or a template is never mistaken for code. The compiler has no parser that a script may call, hence our own.
 */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  // One entry for each open brace; true where closing it resumes a template.
  const braces: boolean[] = []
  let at = source.startsWith('#!') ? source.indexOf('\n') : 0
  let line = 1

  while (at >= 0 && at < source.length) {
    const blank = matchAt(BLANK, source, at)
    const token = blank === undefined ? tokenAt(source, at, tokens.at(-1), braces.at(-1) === true) : undefined
    const text = blank ?? token?.text ?? ''
    if (token) {
      tokens.push({ ...token, line })
      trackBraces(braces, token)
    }
    at += text.length
    line += text.split('\n').length - 1
  }
  return tokens
}

function trackBraces(braces: boolean[], { kind, text }: Omit<Token, 'line'>) {
  const opensSubstitution = text.endsWith('${')
  if (kind === 'template' && opensSubstitution) braces.push(true)
  else if (kind === 'template-rest' && !opensSubstitution) braces.pop()
  else if (kind === 'mark' && text === '{') braces.push(false)
  else if (kind === 'mark' && text === '}') braces.pop()
}

function tokenAt(source: string, at: number, before: Token | undefined, resumes: boolean): Omit<Token, 'line'> {
  const character = source[at]
  if (character === '}' && resumes) return { kind: 'template-rest', text: matchAt(TEMPLATE_REST, source, at) ?? '}' }

  const template = matchAt(TEMPLATE, source, at)
  if (template !== undefined) {
    return { kind: 'template', text: template, ...(template.endsWith('${') ? {} : { value: cook(template) }) }
  }
  const string = matchAt(STRING, source, at)
  if (string !== undefined) return { kind: 'string', text: string, value: cook(string) }

  const word = matchAt(WORD, source, at)
  if (word !== undefined) return { kind: 'word', text: word }

  const number = matchAt(NUMBER, source, at)
  if (number !== undefined) return { kind: 'number', text: number }

  const regex = character === '/' && startsValue(before) ? matchAt(REGEX, source, at) : undefined
  if (regex !== undefined) return { kind: 'regex', text: regex }

  return { kind: 'mark', text: matchAt(MARK, source, at) ?? '' }
}

/** A slash is a division after a value and opens a regular expression where a value may start. */
function startsValue(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'word') return WORDS_BEFORE_A_VALUE.has(before.text)
  return before.kind === 'mark' && !')]}'.includes(before.text)
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|(\r?\n)|([\s\S]))/g
const ESCAPED: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }

function cook(quoted: string): string {
  const quote = quoted.charAt(0)
  const inner = quoted.slice(1, quoted.length > 1 && quoted.endsWith(quote) ? -1 : undefined)
  return inner.replace(ESCAPE, (_all, hex, short, long, newline, plain) => {
    const code = hex ?? short ?? long
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
    return newline === undefined ? (ESCAPED[plain] ?? plain) : ''
  })
}
