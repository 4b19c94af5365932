import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Node, Visitor } from 'oxc-parser'
import { findLine, listFiles, type Source } from './sources.ts'
import { findTableUses, type TableNames, type TableUse } from './sql.ts'

const MIGRATIONS = 'server/migrations'
const MAY_NAME_TABLES = /(?:^|-)(?:store|service)\.ts$/
const RAW_TEXT_TAG = 'String.raw'

const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g
const TABLE_CHANGE =
  /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?(?<created>\w+)"?(?:\s+partition\s+of\s+(?<whole>\w+))?|\bdrop\s+table\s+(?:if\s+exists\s+)?(?<dropped>[\w",\s]+)|\balter\s+table\s+(?<from>\w+)\s+rename\s+to\s+(?<to>\w+)/gi
/** A function, view or trigger with its body, in which a semicolon may stand. */
const DEFINITION =
  /\bcreate\s+(?:or\s+replace\s+)?(?:\w+\s+)?(?:function|procedure|view|trigger|rule|policy)\b(?:\$(\w*)\$[\s\S]*?\$\1\$|\bbegin\s+atomic\b[\s\S]*\bend(?=\s*;)|[^;])*/gi

/** It never changes, so that processes of two versions of the program can run beside each other. */
const VERSIONED_FUNCTION = /^create\s+function\s+\w+_\d+\s*\(/i
const STATEMENT_OWNER = /^\s*-- Owner: (?<module>[\w/-]+)$/gm

type LocatedUse = Omit<TableUse, 'offset'> & { path: string; line: number }

/** The files of `server/migrations`. In `text` comments are blanked, so that every offset stays. */
export function readMigrations(root: string): { path: string; text: string; written: string }[] {
  return listFiles(root, [MIGRATIONS], /\.sql$/).map((path) => {
    const written = readFileSync(join(root, path), 'utf8')
    return { path, written, text: written.replaceAll(COMMENT, (comment) => comment.replaceAll(/[^\n]/g, ' ')) }
  })
}

/** The tables that exist after all migrations with their places, and for each name of a table or a partition the table. */
export function listTables(migrations: ReturnType<typeof readMigrations>) {
  const places = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { path, text } of migrations) {
    for (const { index, groups = {} } of text.matchAll(TABLE_CHANGE)) {
      const { created, whole, dropped, from, to } = groups
      const place = `${path}:${findLine(text, index)}`
      const added = created ?? to
      if (added !== undefined) names.set(added, whole ?? added)
      if (added !== undefined && whole === undefined) places.set(added, place)
      for (const name of dropped?.match(/\w+/g) ?? (from === undefined ? [] : [from])) {
        places.delete(name)
        names.delete(name)
      }
      for (const [name, table] of names) if (to !== undefined && table === from) names.set(name, to)
    }
  }
  return { places, names }
}

/**
 * Definitions that name a table: what stays in the database is hidden from the owners and readers of its tables. A function
 * with a version may.
 */
export function checkDefinitions(migrations: ReturnType<typeof readMigrations>, names: TableNames): string[] {
  const table = new RegExp(`\\b(?:${[...names.keys()].join('|')})\\b`, 'i')
  return migrations.flatMap(({ path, text }) =>
    [...text.matchAll(DEFINITION)].flatMap(({ 0: definition, index }) => {
      const [used] = VERSIONED_FUNCTION.test(definition) ? [] : (table.exec(definition) ?? [])
      const place = `${path}:${findLine(text, index)}`
      return used ? [`${place} defines what uses ${used} in the database: a statement on it belongs into a store.`] : []
    }),
  )
}

/**
 * Finds the tables that the functions with a version use. The module of each statement is that of the comment above it, and an empty one
 * without a comment.
 */
export function findFunctionUses(
  migrations: ReturnType<typeof readMigrations>,
  names: TableNames,
): (LocatedUse & { module: string })[] {
  return migrations.flatMap(({ path, text, written }) =>
    [...text.matchAll(DEFINITION)].flatMap(({ 0: { length }, index }) => {
      const definition = written.slice(index, index + length)
      if (!VERSIONED_FUNCTION.test(definition)) return []
      const owners = [...definition.matchAll(STATEMENT_OWNER)]
      return findTableUses(definition, names).map(({ offset, ...use }) => {
        const module = owners.findLast((owner) => owner.index < offset)?.groups?.module ?? ''
        return { ...use, module, path, line: findLine(text, index + offset) }
      })
    }),
  )
}

/**
 * Finds the tables that the templates of a source use: each with a tag is SQL, however the tag is called. A table whose name is put into a
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
