import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Node, Visitor } from 'oxc-parser'
import { findLine, listFiles, type Source } from './sources.ts'
import { findTableUses, listWords, NOISE, splitStatements, type TableNames, type TableUse } from './sql.ts'

const MIGRATIONS = 'server/migrations'
const MAY_NAME_TABLES = /(?:^|-)(?:store|service)\.ts$/
const RAW_TEXT_TAG = 'String.raw'

/** One file of `server/migrations`. */
type Migration = { path: string; text: string }

/** A table that the migrations create, and where. */
type CreatedTable = { path: string; line: number }

export type LocatedUse = Omit<TableUse, 'offset'> & { path: string; line: number }

/** A use by a statement that stays in the database. Its owner is named in the comment above. */
type DatabaseUse = LocatedUse & { owner: string | undefined }

export function readMigrations(root: string): Migration[] {
  return listFiles(root, [MIGRATIONS], /\.sql$/).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The tables that exist after all migrations, and for each name of a table or a partition the table. */
export function listTables(migrations: Migration[]): { created: Map<string, CreatedTable>; names: TableNames } {
  const created = new Map<string, CreatedTable>()
  const names = new Map<string, string>()
  for (const { path, text } of migrations) {
    for (const statement of splitStatements(text)) {
      const words = listWords(statement.text).filter((word) => !NOISE.has(word))
      const [table = '', verb, to, other = ''] = words.slice(words.indexOf('table') + 1)
      if (words[0] === 'create' && words.slice(1, 3).includes('table')) {
        const isPartition = verb === 'partition' && to === 'of'
        names.set(table, isPartition ? other : table)
        const line = findLine(text, statement.offset + statement.text.search(/^ *create/im))
        if (!isPartition) created.set(table, { path, line })
      } else if (words[0] === 'drop' && words[1] === 'table') {
        for (const dropped of words.slice(2)) {
          created.delete(dropped)
          names.delete(dropped)
        }
      } else if (words[0] === 'alter' && words[1] === 'table' && verb === 'rename' && to === 'to') {
        names.delete(table)
        for (const [name, owner] of names) if (owner === table) names.set(name, other)
        names.set(other, other)
        const before = created.get(table)
        created.delete(table)
        if (before) created.set(other, before)
      }
    }
  }
  return { created, names }
}

/** What functions, views and triggers of the database use, as the last migration that defines them has it. */
export function findDatabaseUses(migrations: Migration[], names: TableNames): DatabaseUse[] {
  const definitions = new Map<string, DatabaseUse[]>()
  for (const { path, text } of migrations) {
    for (const statement of splitStatements(text)) {
      const words = listWords(statement.text)
      const definition = findDefinition(words)
      if (definition === undefined) continue
      const owner = /-- Owner: ([\w/-]+)/.exec(statement.text)?.[1]
      const uses = findTableUses(statement.text, names).map(({ table, offset, isWrite }) => ({
        table,
        isWrite,
        owner,
        path,
        line: findLine(text, statement.offset + offset),
      }))
      definitions.set(definition, words[0] === 'drop' ? [] : uses)
    }
  }
  return [...definitions.values()].flat()
}

/** The kind and the name of what a statement defines or drops; of a function with its parameters. */
function findDefinition(words: string[]): string | undefined {
  const text = words.join(' ')
  const found =
    /^(?:create(?: or replace)?|drop)(?: materialized| constraint)? (function|procedure|view|trigger|rule|policy)(?: if exists)? ([^ ]+(?: \( [^)]*\)| on [^ ]+)?)/.exec(
      text,
    )
  return found ? `${found[1]} ${found[2]}` : undefined
}

/**
 * What the templates of a source use: each with a tag is SQL, however the tag is called. A table whose name is put into a
 * statement at run time is found by the string that has the name: in a store or a service, or as a property `table`, such a
 * string is a write.
 */
export function findSourceUses(source: Source, names: TableNames): LocatedUse[] {
  const { path, text, program } = source
  const found: LocatedUse[] = []
  const [named, ignored] = [new Set<number>(), new Set<number>()]
  const add = ({ table, offset, isWrite }: TableUse) =>
    found.push({ table, isWrite, path, line: findLine(text, offset) })
  function addStatement(node: Node, holes: readonly Node[] = []): void {
    const statement = blankHoles(text.slice(node.start + 1, node.end - 1), node.start + 1, holes)
    for (const use of findTableUses(statement, names)) add({ ...use, offset: use.offset + node.start + 1 })
  }
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (text.slice(tag.start, tag.end) !== RAW_TEXT_TAG) addStatement(quasi, quasi.expressions)
    },
    CallExpression({ callee, arguments: [statement] }) {
      if (callee.type !== 'MemberExpression' || text.slice(callee.property.start, callee.property.end) !== 'unsafe')
        return
      if (statement?.type === 'TemplateLiteral') addStatement(statement, statement.expressions)
      if (statement?.type === 'Literal') addStatement(statement)
    },
    // A type and an operand of a comparison put no name into a statement.
    TSLiteralType: ({ literal }) => void ignored.add(literal.start),
    BinaryExpression: ({ left, right }) => void ignored.add(left.start).add(right.start),
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'table') named.add(value.start)
    },
    Literal({ value, start }) {
      const table = typeof value === 'string' ? names.get(value) : undefined
      const mayName = named.has(start) || MAY_NAME_TABLES.test(basename(path))
      if (table === undefined || ignored.has(start) || !mayName) return
      add({ table, offset: start, isWrite: true })
    },
  }).visit(program)
  return found
}

/** The text of a template with a parameter in place of each hole and one backslash for two, and as long as before. */
function blankHoles(text: string, offset: number, holes: readonly Node[]): string {
  const blanked = holes.reduce((rest, { start, end }) => {
    const [from, to] = [rest.lastIndexOf('${', start - offset), rest.indexOf('}', end - offset) + 1]
    return `${rest.slice(0, from)}?${rest.slice(from + 1, to).replaceAll(/[^\n]/g, ' ')}${rest.slice(to)}`
  }, text)
  return blanked.replaceAll('\\\\', ' \\')
}
