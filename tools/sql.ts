/** `text` is as written. A name is a word in lower case or a quoted identifier without its quotes. */
type Token = { text: string; offset: number; name?: string }

/** A mention of a table in a statement. */
export type TableUse = { table: string; offset: number; isWrite: boolean }

/** Each table by its own name and by the names of its partitions. */
export type TableNames = ReadonlyMap<string, string>

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\be'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$(?:[a-z_]\w*)?\$|[a-z_][\w$]*|\S/gi

/** Words and symbols in front of the name of a table that do not change what a statement does. */
export const NOISE: ReadonlySet<string> = new Set(['if', 'not', 'exists', 'only', 'public', '.'])

const IN_FRONT_OF_WRITTEN = [
  ['update'],
  ['into'],
  ['delete', 'from'],
  ['truncate'],
  ['copy'],
  ['lock'],
  ...['truncate', 'lock', 'create', 'unlogged', 'alter', 'drop'].map((verb) => [verb, 'table']),
]

/**
 * Every name of a table in a statement, outside comments and strings. A column behind its alias (`c.messages`) and an alias
 * behind `as` are none. Any other name counts as the table, so that a CTE or a column without its alias has to be called
 * otherwise: nothing that reads a table goes unseen.
 */
export function findTableUses(sql: string, tables: TableNames): TableUse[] {
  const tokens = tokenize(sql)
  return tokens.flatMap((token, index) => {
    if (isString(token)) return isExecuted(tokens, index) ? findUsesInString(token, tables) : []
    const table = token.name === undefined ? undefined : tables.get(token.name)
    const before = tokens[index - 1]
    if (table === undefined || before?.name === 'as') return []
    if (before?.text === '.' && tokens[index - 2]?.name !== 'public') return []
    return [{ table, offset: token.offset, isWrite: isWritten(tokens, index) }]
  })
}

/** Splits a script at the semicolons outside of function bodies. */
export function splitStatements(script: string): { text: string; offset: number }[] {
  const ends: number[] = []
  let quote: string | undefined
  let depth = 0
  for (const { text, name, offset } of tokenize(script)) {
    if (text.startsWith('$')) quote = quote === undefined ? text : quote === text ? undefined : quote
    // The body of `begin atomic … end` has semicolons, and a `case` in it ends like the body.
    if (name === 'atomic') depth = 1
    else if (name === 'case' && depth > 0) depth += 1
    else if (name === 'end' && depth > 0) depth -= 1
    if (text === ';' && quote === undefined && depth === 0) ends.push(offset + 1)
  }
  const starts = [0, ...ends]
  return starts.map((start, index) => ({ text: script.slice(start, starts[index + 1]), offset: start }))
}

/** The names and symbols of a statement in their order, without comments. */
export function listWords(sql: string): string[] {
  return tokenize(sql).map(({ name, text }) => name ?? text)
}

function tokenize(sql: string): Token[] {
  return [...sql.matchAll(TOKEN)]
    .filter(([text]) => !/^(?:--|\/\*)/.test(text))
    .map(({ 0: text, index }) => {
      if (text.startsWith('"')) return { text, offset: index, name: text.slice(1, -1).replaceAll('""', '"') }
      return /^[a-z_][^']*$/i.test(text) ? { text, offset: index, name: text.toLowerCase() } : { text, offset: index }
    })
}

function isWritten(tokens: Token[], index: number): boolean {
  const words = tokens.slice(0, index).map(({ name, text }) => name ?? text)
  while (NOISE.has(words.at(-1) ?? '')) words.pop()
  // `truncate a, b` writes both.
  while (words.at(-1) === ',' && words.length > 2) words.splice(-2)
  return IN_FRONT_OF_WRITTEN.some((verb) => verb.every((word, place) => words.at(place - verb.length) === word))
}

function isString({ text }: Token): boolean {
  return text.endsWith("'")
}

/** Whether a string is a statement: `execute '…'` and `execute format('…')`. */
function isExecuted(tokens: Token[], index: number): boolean {
  return [index - 1, index - 3].some((place) => tokens[place]?.name === 'execute')
}

function findUsesInString({ text, offset }: Token, tables: TableNames): TableUse[] {
  const start = text.indexOf("'") + 1
  return findTableUses(text.slice(start, -1), tables).map((use) => ({ ...use, offset: use.offset + offset + start }))
}
