/** `text` is as written. A name is a word in lower case or a quoted identifier without its quotes. */
type Token = { text: string; offset: number; name?: string }

/** A mention of a table in a statement. */
export type TableUse = { table: string; offset: number; isWrite: boolean }

/** Each table by its own name and by the names of its partitions. */
export type TableNames = ReadonlyMap<string, string>

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|\be'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|[a-z_][\w$]*|\S/gi

/** Words and symbols in front of the name of a table that do not change what a statement does. */
const NOISE: ReadonlySet<string> = new Set(['if', 'not', 'exists', 'only', 'public', '.'])

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
    const table = token.name === undefined ? undefined : tables.get(token.name)
    const before = tokens[index - 1]
    if (table === undefined || before?.name === 'as') return []
    if (before?.text === '.' && tokens[index - 2]?.name !== 'public') return []
    return [{ table, offset: token.offset, isWrite: isWritten(tokens, index) }]
  })
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
